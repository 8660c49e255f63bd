/** The measurements as data: for `--json`, and for whoever compares two runs. */
import type { Row } from './measure.ts'
import { macroOf, measures, read, sumOf, tables, type Measure, type Reading } from './measures.ts'
import type { NastyResult } from './nasty.ts'
import { speedOf } from './print.ts'

const readings: ReadonlyMap<Measure, Reading> = new Map(Object.values(tables).flat()
  .filter(({ reading }) => reading === 'f1' || reading === 'tau').map(({ measure, reading }) => [measure, reading]))

export function resultsOf (rows: readonly Row[], nasty: readonly NastyResult[]) {
  return {
    papers: rows.map(({ slug, style, pages, counts, misses, textMs, cropsMs, engineMs }) =>
      ({ slug, style, pages, counts, misses, textMs, cropsMs, engineMs })),
    totals: Object.fromEntries(measures.map(measure => {
      const counts = rows.map(row => row.counts[measure])
      const sum = sumOf(counts)
      const reading = readings.get(measure) ?? 'recall'
      return [measure, {
        reading,
        micro: read(sum, reading),
        macro: macroOf(counts, reading),
        recall: read(sum, 'recall'),
        precision: read(sum, 'precision'),
        counts: sum,
        papers: counts.filter(count => count !== null).length
      }]
    })),
    speed: speedOf(rows),
    nasty
  }
}
