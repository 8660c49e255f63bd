/** The page of the paper, with boxes over what the evidence stands in. */
import { query, remembering } from './api.js'
import { rowName, stemView } from './bank-view.js'
import { byId, el } from './dom.js'
import { firstPageOf, marksOf, shareOf } from './places.js'

const dpi = 110

export function paperView (api) {
  const frame = byId('page-frame')
  const versionOf = ({ paperId, documentHash }) => `${paperId} ${documentHash}`
  const documents = remembering(5, async key => {
    const [paperId, documentHash] = key.split(' ')
    return await api.json(`/v1/papers/${paperId}/document?${query({ documentHash })}`)
  })
  const pages = remembering(12, async path => await api.image(path))
  const figures = remembering(12, async path => await api.image(path))
  const bankImages = remembering(24, async imageId => await api.image(`/v1/bank-images/${imageId}`))
  let shown

  async function show (page) {
    const { item, paper } = shown
    const size = paper.pages.find(({ number }) => number === page)
    byId('page-title').textContent = paper.title
    byId('page-back').disabled = page <= 1
    byId('page-on').disabled = page >= paper.pages.length
    byId('page-name').textContent = size === undefined ? 'No pages' : `Page ${page} of ${paper.pages.length}`
    if (size === undefined) {
      say('The source of this paper has no pages to show; the text is beside the item.')
      return
    }
    shown.page = page
    const own = shown
    const image = await pages(`/v1/papers/${item.source.paperId}/pages/${page}/image?${query({ dpi })}`)
      .catch(error => { say(`The page cannot be shown: ${error.message}`) })
    // Somebody turned the page meanwhile.
    if (shown !== own || shown.page !== page || image === undefined) return
    const sheet = el('div', { class: 'sheet' },
      el('img', { src: image, alt: `Page ${page} of ${paper.title}`, width: size.width, height: size.height }))
    for (const { look, ...box } of marksOf(item, paper)) {
      if (box.page !== page) continue
      const mark = el('div', { class: `box ${look}` })
      for (const [side, share] of Object.entries(shareOf(box.box, size))) mark.style[side] = `${share}%`
      sheet.append(mark)
    }
    frame.replaceChildren(sheet)
    await sheet.querySelector('img').decode().catch(() => {})
    const first = sheet.querySelector('.box.evidence') ?? sheet.querySelector('.box')
    frame.scrollTop = first === null ? 0 : Math.max(0, first.offsetTop - 80)
  }

  function say (text) {
    frame.replaceChildren(el('p', { class: 'empty' }, text))
  }

  return {
    /** @returns the document of the item, or undefined where it is not to be had here */
    async open (item) {
      shown = undefined
      say('Loading the page …')
      if (item.source.paperId === undefined) {
        for (const id of ['page-back', 'page-on']) byId(id).disabled = true
        byId('page-name').textContent = rowName(item)
        byId('page-title').textContent = ''
        frame.replaceChildren(...stemView(item, bankImages))
        return undefined
      }
      try {
        const paper = await documents(versionOf(item.source))
        shown = { item, paper, page: undefined }
        void show(firstPageOf(item, paper))
        return paper
      } catch (error) {
        say(error.status === 404
          ? 'Papers are not served at this address: open the review page at the address of the whole suite, or of its front door.'
          : `The paper cannot be shown: ${error.message}`)
        return undefined
      }
    },
    turn (by) {
      const page = (shown?.page ?? 0) + by
      if (shown?.page !== undefined && page >= 1 && page <= shown.paper.pages.length) void show(page)
    },
    goTo (page) { if (shown !== undefined) void show(page) },
    clear (text) {
      shown = undefined
      for (const id of ['page-name', 'page-title']) byId(id).textContent = ''
      say(text)
    },
    bankImage: bankImages,
    figure: async ({ source: { paperId, documentHash } }, figureId) => await figures(
      `/v1/papers/${paperId}/figures/${encodeURIComponent(figureId)}/image?${query({ documentHash })}`)
  }
}
