/** Evidence is worth only what the paper really says at the place it names. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Evidence } from '../../../../shared/contracts/item.ts'
import { fail, pass, shown, type Finding, type Subject } from './finding.ts'

interface Target { text: string, pages: number[] }

/**
 * Every quote must equal the slice of its target in the document: offsets in code points,
 * half-open, in the paragraph, the caption of a figure or table, the cell where one is named, the
 * equation, or the abstract; and stand on a page of that target.
 */
export function evidenceHolds ({ item, document }: Subject): Finding {
  if (item.evidence.length === 0) return fail('There is no evidence for the answer.')
  for (const evidence of item.evidence) {
    const fault = faultOf(evidence, document)
    if (fault !== null) return fail(`The evidence ${shown(evidence.quote)} ${fault}`)
  }
  const count = item.evidence.length
  return pass(`${count === 1 ? 'The quote stands' : `All ${count} quotes stand`} in the paper, word for word.`)
}

function faultOf (evidence: Evidence, document: Document): string | null {
  const target = targetOf(evidence, document)
  const name = `${evidence.target.type} ${evidence.target.id ?? ''}`.trim()
  if (target === undefined) return `names the ${name}, which the paper does not have.`
  const { charStart, charEnd, quote, page } = evidence
  const points = [...target.text]
  if (charStart >= charEnd || charEnd > points.length) {
    return `names the characters ${charStart} to ${charEnd} of the ${name}, which has ${points.length}.`
  }
  const slice = points.slice(charStart, charEnd).join('')
  if (slice !== quote) return `is not what stands at its place in the ${name}: ${shown(slice)}.`
  if (!target.pages.includes(page)) return `names page ${page}; the ${name} is on ${target.pages.join(', ')}.`
  return null
}

function targetOf ({ target, cell, page }: Evidence, document: Document): Target | undefined {
  const { type, id } = target
  if (type === 'abstract') {
    // A long abstract runs on to a page that the document does not record.
    const abstract = document.abstract
    return abstract === null ? undefined : { text: abstract.text, pages: [abstract.page, page] }
  }
  if (type === 'paragraph') {
    const found = document.sections.flatMap(section => section.paragraphs)
      .find(paragraph => paragraph.id === id)
    return found &&
      { text: found.text, pages: [found.page, ...(found.continues ?? []).map(place => place.page)] }
  }
  if (type === 'equation') {
    const found = document.equations.find(equation => equation.id === id)
    return found && { text: found.text, pages: [found.page] }
  }
  if (type === 'table') {
    const found = document.tables.find(table => table.id === id)
    const text = cell === undefined ? found?.caption : found?.rows?.[cell.row]?.[cell.column]
    return found === undefined || text === undefined ? undefined : { text, pages: [found.page] }
  }
  const found = document.figures.find(figure => figure.id === id)
  return found && { text: found.caption, pages: [found.page] }
}
