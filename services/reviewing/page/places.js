/** Where evidence stands: boxes on pages, and the text around a quote. Pure. */

/** @returns {Array<{page: number, box: number[], caption: boolean}>} in PDF points, origin top left */
export function boxesOf ({ target }, paper) {
  const at = (page, box, caption = false) => isBox(box) ? [{ page, box, caption }] : []
  if (target.type === 'abstract') return at(paper.abstract?.page, paper.abstract?.box)
  if (target.type === 'paragraph') {
    const paragraph = paper.sections.flatMap(section => section.paragraphs).find(({ id }) => id === target.id)
    if (paragraph === undefined) return []
    return [paragraph, ...paragraph.continues ?? []].flatMap(({ page, box }) => at(page, box))
  }
  const found = { figure: paper.figures, table: paper.tables, equation: paper.equations }[target.type]
    .find(({ id }) => id === target.id)
  return found === undefined ? [] : [...at(found.page, found.box), ...at(found.page, found.captionBox, true)]
}

/** What is framed on the pages: the evidence, and the figures that are asked about and are none. */
export function marksOf (item, paper) {
  const groups = byTarget(item.evidence)
  const isEvidence = id => groups.some(([{ target }]) => target.type === 'figure' && target.id === id)
  const evidence = groups.flatMap(([evidence]) => boxesOf(evidence, paper))
    .map(box => ({ ...box, look: box.caption ? 'evidence caption' : 'evidence' }))
  const asked = item.figureIds.filter(id => !isEvidence(id))
    .flatMap(id => boxesOf({ target: { type: 'figure', id } }, paper).slice(0, 1))
  return [...evidence, ...asked.map(box => ({ ...box, look: 'asked' }))]
}

/** Sources without pages have boxes of no size. */
function isBox (box) {
  return Array.isArray(box) && box[2] > box[0] && box[3] > box[1]
}

/** The text that the offsets of the evidence count in. */
export function textOf ({ target, cell }, paper) {
  const { type, id } = target
  if (type === 'abstract') return paper.abstract?.text ?? ''
  if (type === 'paragraph') {
    return paper.sections.flatMap(section => section.paragraphs).find(one => one.id === id)?.text ?? ''
  }
  if (type === 'equation') return paper.equations.find(one => one.id === id)?.text ?? ''
  if (type === 'figure') return paper.figures.find(one => one.id === id)?.caption ?? ''
  const table = paper.tables.find(one => one.id === id)
  return (cell === undefined ? table?.caption : table?.rows?.[cell.row]?.[cell.column]) ?? ''
}

/** Quotes of one text together, in the order of their first. */
export function byTarget (evidence) {
  const groups = new Map()
  for (const one of evidence) {
    const key = JSON.stringify([one.target.type, one.target.id, one.cell])
    groups.set(key, [...groups.get(key) ?? [], one])
  }
  return [...groups.values()]
}

/**
 * A text cut where quotes begin and end; offsets count code points. Far from a quote it is left
 * out, for a page of text would bury it.
 *
 * @returns {Array<{text: string, quoted: boolean}>} the quotes alone where one is not at its place
 */
export function segmentsOf (quotes, text, nearMax = 240) {
  const points = [...text]
  const slice = (start, end) => points.slice(start, end).join('')
  if (quotes.some(({ charStart, charEnd, quote }) => slice(charStart, charEnd) !== quote)) {
    return quotes.flatMap(({ quote }, at) => [...at > 0 ? [{ text: ' … ', quoted: false }] : [], { text: quote, quoted: true }])
  }
  const segments = []
  let from = 0
  const plain = (to, last) => {
    const whole = slice(from, to)
    if (whole === '') return
    const head = from === 0 ? '' : `${firstWords(points.slice(from, to), nearMax)} `
    const tail = last ? '' : ` ${lastWords(points.slice(from, to), nearMax)}`
    const short = to - from <= nearMax * (from > 0 && !last ? 2 : 1)
    segments.push({ text: short ? whole : `${head}…${tail}`, quoted: false })
  }
  for (const { charStart, charEnd } of [...quotes].sort((a, b) => a.charStart - b.charStart)) {
    plain(charStart, false)
    const start = Math.max(from, charStart)
    if (charEnd > start) segments.push({ text: slice(start, charEnd), quoted: true })
    from = Math.max(from, charEnd)
  }
  plain(points.length, true)
  return segments
}

function firstWords (points, max) {
  return points.slice(0, max).join('').replace(/\S*$/u, '').trimEnd()
}

function lastWords (points, max) {
  return points.slice(-max).join('').replace(/^\S*/u, '').trimStart()
}

/** What the item asks about, in words; '' where the paper is not known. */
export function placeOf ({ place }, paper) {
  if (place === 'abstract') return 'Abstract'
  const section = paper?.sections.find(({ id }) => id === place)
  if (section !== undefined) return `Section ${section.number} ${section.title}`.replace(/ +/g, ' ')
  const captioned = [...paper?.figures ?? [], ...paper?.tables ?? []].find(({ id }) => id === place)
  return captioned?.label ?? ''
}

/** What the evidence stands in, in words. */
export function nameOf ({ target, page }, paper) {
  const labelled = { figure: paper?.figures, table: paper?.tables }[target.type]
  const label = labelled?.find(({ id }) => id === target.id)?.label
  const name = { abstract: 'Abstract', paragraph: 'Text', equation: 'Equation', figure: 'Figure', table: 'Table' }[target.type]
  return `${label || name}, page ${page}`
}

/** A little more than the ink, so that a frame around it cuts no letter. */
const marginPoints = 3

/** Percentages of the page, for a box in points. */
export function shareOf ([x0, y0, x1, y1], { width, height }) {
  return {
    left: 100 * (x0 - marginPoints) / width,
    top: 100 * (y0 - marginPoints) / height,
    width: 100 * (x1 - x0 + 2 * marginPoints) / width,
    height: 100 * (y1 - y0 + 2 * marginPoints) / height
  }
}

/** The page to open an item at: of its figure where it asks about one, else of its first evidence. */
export function firstPageOf (item, paper) {
  const [evidence] = item.evidence
  const figure = paper.figures.find(({ id }) => item.figureIds.includes(id))
  return evidence === undefined ? figure?.page ?? 1 : boxesOf(evidence, paper)[0]?.page ?? evidence.page
}
