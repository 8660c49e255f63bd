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

/** A text before, in and after a quote; offsets count code points. */
export function around ({ charStart, charEnd, quote }, text) {
  const points = [...text]
  const inside = points.slice(charStart, charEnd).join('')
  if (inside !== quote) return { before: '', inside: quote, after: '' }
  return { before: points.slice(0, charStart).join(''), inside, after: points.slice(charEnd).join('') }
}

/** What the evidence stands in, in words. */
export function nameOf ({ target, page }, paper) {
  const labelled = { figure: paper?.figures, table: paper?.tables }[target.type]
  const label = labelled?.find(({ id }) => id === target.id)?.label
  const name = { abstract: 'Abstract', paragraph: 'Text', equation: 'Equation', figure: 'Figure', table: 'Table' }[target.type]
  return `${label || name}, page ${page}`
}

/** Percentages of the page, for a box in points. */
export function shareOf ([x0, y0, x1, y1], { width, height }) {
  return {
    left: 100 * x0 / width, top: 100 * y0 / height, width: 100 * (x1 - x0) / width, height: 100 * (y1 - y0) / height
  }
}

/** The page to open an item at: of its figure where it asks about one, else of its first evidence. */
export function firstPageOf (item, paper) {
  const [evidence] = item.evidence
  const figure = paper.figures.find(({ id }) => item.figureIds.includes(id))
  return evidence === undefined ? figure?.page ?? 1 : boxesOf(evidence, paper)[0]?.page ?? evidence.page
}
