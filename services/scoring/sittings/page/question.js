/** A question as elements. Text of papers and banks becomes text nodes and nothing else. */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} properties  of the element; `class` and names with a hyphen are attributes
 * @param {...(Node | string)} children
 */
export function el (tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class' || name.includes('-')) element.setAttribute(name, String(value))
    else element[name] = value
  }
  element.append(...children)
  return element
}

/** Only what the service gives as an image of its own: no address of another host is ever asked. */
function image (url, alt) {
  return el('img', { src: /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(url) ? url : 'data:,', alt })
}

function piecesOf (pieces, words) {
  let images = 0
  return pieces.map(piece => 'image' in piece
    ? image(piece.image, words.image(++images))
    : el('div', { class: 'piece', lang: '' }, piece.text))
}

/**
 * Puts the question into the form, with the answer that was given or typed.
 *
 * @param changed  called with the answer as it stands whenever it changes
 */
export function fillQuestion (form, { question, answer, words, changed }) {
  const { stem, choices, place, figures, images, language } = question
  const where = [place, figures].filter(text => text !== null).map(text => el('p', { class: 'where' }, text))
  const shown = el('div', { class: 'stem', lang: language, id: 'stem' }, ...piecesOf(stem, words))
  const pictures = images.map((url, at) => image(url, words.image(at + 1)))
  form.replaceChildren(...where, shown, ...pictures, choices.length === 0
    ? textField({ answer, words, changed })
    : choiceFields({ choices, answer, words, changed, language }))
}

function textField ({ answer, words, changed }) {
  const field = el('textarea', { maxLength: 20_000, value: answer?.text ?? '', 'aria-label': words.answerLabel, id: 'text' })
  field.addEventListener('input', () => { changed(field.value.trim() === '' ? null : { text: field.value }) })
  return field
}

function choiceFields ({ choices, answer, words, changed, language }) {
  return el('fieldset', { 'aria-labelledby': 'stem' }, ...choices.map(({ label, pieces }, choice) => {
    const radio = el('input', { type: 'radio', name: 'choice', value: String(choice), checked: answer?.choice === choice })
    radio.addEventListener('change', () => { changed({ choice }) })
    const yesNo = label === '' ? el('div', { class: 'piece' }, choice === 0 ? words.yes : words.no) : null
    const content = yesNo === null ? piecesOf(pieces, words) : [yesNo]
    return el('label', { class: 'choice' }, radio, label === '' ? '' : el('strong', {}, `${label}.`), el('div', { lang: language }, ...content))
  }))
}

/** The answer that the form has; null where it has none. */
export function answerIn (form) {
  const text = form.querySelector('textarea')
  if (text !== null) return text.value.trim() === '' ? null : { text: text.value }
  const chosen = form.querySelector('input:checked')
  return chosen === null ? null : { choice: Number(chosen.value) }
}
