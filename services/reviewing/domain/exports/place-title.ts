/** What the paper itself calls the place that an item asks about. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../../shared/contracts/document.ts'

/**
 * "this section" says nothing to who reads a question in a table: "3.2 Methods", "Figure 2", "Table 1",
 * "Equation 4" or "Abstract" do. Null for an item of a bank, and for a place without name or number.
 */
export function placeTitle ({ place }: Pick<BenchmarkItem, 'place'>, document: Document | null): string | null {
  if (document === null) return null
  if (place === 'abstract') return 'Abstract'
  const section = document.sections.find(({ id }) => id === place)
  const equation = document.equations.find(({ id }) => id === place)
  const float = [...document.figures, ...document.tables].find(({ id }) => id === place)
  const words = section !== undefined
    ? `${section.number} ${section.title}`
    : equation !== undefined ? equation.number && `Equation ${equation.number}` : float?.label ?? ''
  return words.trim() || null
}
