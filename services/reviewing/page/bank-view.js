/** What an item of a bank shows in place of a page: its images, with their times and captions. */
import { el } from './dom.js'

/** An image under its name, or the words why it cannot be shown. @param load  of data URLs, by id */
export function pictureOf (load, imageId, name) {
  const image = el('img', { alt: name })
  load(imageId).then(url => { image.src = url }, error => {
    image.replaceWith(el('p', { class: 'hint' }, `${name} cannot be shown: ${error.message}`))
  })
  return image
}

export function imageName (at, time) {
  return [`Image ${at + 1}`, time].filter(Boolean).join(', ')
}

/** @returns the images of the question in their order, or a line that there are none */
export function stemView ({ images = [] }, load) {
  if (images.length === 0) {
    return [el('p', { class: 'empty' }, 'The item is of an item bank and of no paper; its question has no image.')]
  }
  return images.map(({ imageId, time, caption = '' }, at) => {
    const name = imageName(at, time)
    return el('figure', { class: 'stem' }, pictureOf(load, imageId, caption === '' ? name : `${name}: ${caption}`),
      el('figcaption', {}, el('strong', {}, name), ' ', caption))
  })
}

export function rowName ({ source }) {
  return `Item bank, row ${source.row}`
}

/** The same item with names in place of what only its setting makes plain; null where there is none. */
export function explicitView ({ explicitWording }) {
  if (explicitWording === undefined) return null
  const { question, choices = [] } = explicitWording
  return el('details', {}, el('summary', {}, 'Explicit wording'), el('p', { class: 'answer' }, question),
    choices.length === 0 ? null : el('ol', { class: 'choices' }, ...choices.map(text => el('li', {}, text))))
}
