/** The measurements as text: a table per theme, what went wrong, the speed. */
import type { Row } from './measure.ts'
import { macroOf, read, sumOf, tables, type Column, type Measure } from './measures.ts'
import { nastyMegabytesMax, nastySecondsMax, type NastyResult } from './nasty.ts'

type Counted = Pick<Row, 'counts'>

/** "-" where nothing is known: never 0. */
export function figure (value: number | null): string {
  return value === null ? '-' : value.toFixed(3).replace(/^0(?=\.)/u, '')
}

const counted = new Set<Measure>(['whole', 'title', 'abstract', 'first', 'pictured', 'levels', 'probes', 'located',
  'figures', 'tables', 'cropHalf', 'crop', 'cropContains', 'cropClean', 'homes', 'equations', 'references', 'years', 'dois'])

/** Of one paper or of many together: "24/25" where things are counted, a share else. */
export function cellOf (rows: readonly Counted[], { measure, reading }: Column): string {
  const sum = sumOf(rows.map(({ counts }) => counts[measure]))
  if (sum === null) return '-'
  if (!counted.has(measure) || reading === 'f1' || reading === 'tau') return figure(read(sum, reading))
  const of = reading === 'recall' ? sum.of : sum.found
  return of === 0 ? '-' : `${sum.hit}/${of}`
}

export function printTables (name: string, rows: readonly Row[]): void {
  const styles = [...new Set(rows.map(({ style }) => style))]
  for (const [theme, columns] of Object.entries(tables)) {
    console.log(`\n${name}: ${theme}`)
    const cells = (label: string, of: readonly Row[]) => [label, ...columns.map(column => cellOf(of, column))]
    const lines = [
      ['paper', ...columns.map(column => column.name)],
      ...rows.map(row => cells(row.slug, [row])),
      // One style, one paper: then the paper's line is the style's.
      ...styles.length === rows.length ? [] : styles.map(style => cells(`= ${style}`, rows.filter(row => row.style === style))),
      cells('TOTAL, micro', rows),
      ['share of the total', ...columns.map(({ measure, reading }) => figure(read(sumOf(rows.map(({ counts }) => counts[measure])), reading)))],
      ['mean of the papers', ...columns.map(({ measure, reading }) => figure(macroOf(rows.map(({ counts }) => counts[measure]), reading)))],
      ['papers with a truth', ...columns.map(({ measure }) => String(rows.filter(({ counts }) => counts[measure] !== null).length))]
    ]
    for (const line of lines) console.log(line.map((cell, i) => i === 0 ? cell.slice(0, 26).padEnd(27) : cell.padStart(9)).join(''))
  }
}

export function printMisses (rows: readonly Row[]): void {
  for (const { slug, misses } of rows) {
    if (misses.length > 0) console.log(`\n${slug}\n${misses.map(miss => `  ${miss}`).join('\n')}`)
  }
}

export function printNasty (results: readonly NastyResult[]): void {
  console.log(`\nhostile files: ${results.filter(({ right }) => right).length} of ${results.length} as expected (within ${nastySecondsMax} s and ${nastyMegabytesMax} MB)`)
  for (const { file, expect, got, right, seconds, megabytes } of results) {
    console.log(`  ${right ? 'ok   ' : 'WRONG'} ${file.padEnd(32)} ${seconds.toFixed(1).padStart(5)} s ${megabytes === null ? '   -' : megabytes.toFixed(0).padStart(4)} MB  ${got}${right ? '' : ` (expected: ${expect})`}`)
  }
}

export interface Speed {
  /** Pages a second. */
  text: number | null
  crops: number | null
  engine: number | null
  textOfEngine: number | null
  p95Seconds: number | null
}

/** Pages a second over all papers; the 95th percentile of seconds a paper, crops included. */
export function speedOf (rows: readonly Row[]): Speed {
  const pages = rows.reduce((sum, row) => sum + row.pages, 0)
  const total = (pick: (row: Row) => number | null) => rows.reduce((sum, row) => sum + (pick(row) ?? 0), 0)
  const rate = (ms: number) => pages === 0 || ms === 0 ? null : 1_000 * pages / ms
  const [text, engine] = [total(row => row.textMs), total(row => row.engineMs)]
  const crops = total(row => row.cropsMs)
  const seconds = rows.map(row => (row.cropsMs ?? row.textMs) / 1_000).sort((a, b) => a - b)
  return {
    text: rate(text),
    crops: rate(crops),
    engine: rate(engine),
    textOfEngine: text === 0 ? null : engine / text,
    p95Seconds: seconds[Math.min(seconds.length - 1, Math.ceil(0.95 * seconds.length) - 1)] ?? null
  }
}

export function printSpeed (name: string, rows: readonly Row[]): void {
  const { text, crops, engine, textOfEngine, p95Seconds } = speedOf(rows)
  const rate = (value: number | null) => value === null ? '-' : value.toFixed(1)
  console.log(`\n${name}: ${rows.length} papers, ${rows.reduce((sum, row) => sum + row.pages, 0)} pages; pages/s: text only ${rate(text)}, ` +
    `with crops ${rate(crops)}, bare engine ${rate(engine)} (text is ${figure(textOfEngine)} of it); 95 % of the papers within ${rate(p95Seconds)} s`)
}
