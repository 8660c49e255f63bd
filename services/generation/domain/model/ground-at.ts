/** Quotes of a draft about a table or an equation: cells and formulas are quoted too. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Evidence } from '../../../../shared/contracts/item.ts'
import { normalised } from '../../../../shared/text/normalise.ts'
import type { Place } from '../plan.ts'
import { ground, type Grounded } from './ground.ts'
import type { Material } from './writer.ts'

/** What stands in no passage may be a row ("dense | 40 m") or cell of the table, or the equation. */
export function groundAt (place: Place, { document, source }: Material, quotes: readonly string[]): Grounded {
  const all: Grounded = { evidence: [], faults: [] }
  for (const quote of new Set(quotes.map(quote => quote.trim()))) {
    const { evidence, faults } = ground(source, [quote])
    const found = evidence.length > 0 ? evidence : ofPlace(place, document, quote)
    all.evidence.push(...found)
    if (found.length === 0) all.faults.push(...faults)
  }
  return all
}

function ofPlace ({ aspect, id }: Place, document: Document, quote: string): Evidence[] {
  if (aspect === 'table') return cellsOf(document, id, quote)
  return aspect === 'equation' ? equationOf(document, id, quote) : []
}

/** Every cell that the quote names must stand in one row. */
function cellsOf ({ tables }: Document, id: string, quote: string): Evidence[] {
  const table = tables.find(table => table.id === id)
  const parts = quote.split('|').map(part => normalised(part)).filter(part => part !== '')
  for (const [row, cells] of (table?.rows ?? []).entries()) {
    const columns = parts.map(part => cells.findIndex(cell => normalised(cell) === part))
    if (parts.length === 0 || columns.includes(-1)) continue
    return [...new Set(columns)].map(column => ({
      quote: cells[column]!,
      target: { type: 'table', id },
      cell: { row, column },
      ...table!.sectionId !== null && { sectionId: table!.sectionId },
      page: table!.page,
      charStart: 0,
      charEnd: [...cells[column]!].length
    }))
  }
  return []
}

function equationOf ({ equations }: Document, id: string, quote: string): Evidence[] {
  const equation = equations.find(equation => equation.id === id)
  if (equation === undefined || equation.text === '') return []
  const bare = (text: string) => normalised(text).replaceAll(/\s/gu, '')
  const wanted = bare(quote)
  if (wanted.length < 3 || ![equation.text, equation.latex ?? ''].some(text => bare(text).includes(wanted))) return []
  const { text, page } = equation
  return [{ quote: text, target: { type: 'equation', id }, page, charStart: 0, charEnd: [...text].length }]
}
