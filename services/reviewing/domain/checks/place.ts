/** An item must ask about something the paper has. */
import { fail, pass, type Finding, type Subject } from './finding.ts'

/** The place is the abstract, or a section, figure, table or equation; every figure named exists. */
export function placeExists ({ item, document }: Subject): Finding {
  const figureIds = new Set(document.figures.map(figure => figure.id))
  const { sections, tables, equations } = document
  const places = new Set([...sections, ...tables, ...equations].map(({ id }) => id))
  const missing = item.figureIds.find(id => !figureIds.has(id))
  if (missing !== undefined) return fail(`The item names figure ${missing}, which the paper does not have.`)
  if (item.kind === 'vqa' && item.figureIds.length === 0) {
    return fail('A question about a figure must name the figure.')
  }
  if (item.place === 'abstract') {
    return document.abstract === null
      ? fail('The item asks about the abstract, which the paper does not have.')
      : pass('The paper has an abstract.')
  }
  return places.has(item.place) || figureIds.has(item.place)
    ? pass(`The paper has ${item.place}.`)
    : fail(`The item asks about ${item.place}, which the paper does not have.`)
}
