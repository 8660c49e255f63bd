/** The totals as Markdown, written between two markers of a page. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Row } from './measure.ts'
import { macroOf, read, sumOf, tables } from './measures.ts'
import type { NastyResult } from './nasty.ts'
import { cellOf, figure, speedOf } from './print.ts'

const [start, end] = ['<!-- bench:parsing -->', '<!-- /bench:parsing -->']

export interface Measured { name: string, rows: readonly Row[], nasty: readonly NastyResult[] }

/** @throws Error when the page lacks its markers */
export function writeResults (file: string, measured: readonly Measured[]): void {
  const page = readFileSync(file, 'utf8')
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${file} lacks the lines ${start} and ${end}`)
  writeFileSync(file, `${page.slice(0, from + start.length)}\n${measured.map(resultsOf).join('\n')}\n${page.slice(to)}`)
}

function resultsOf ({ name, rows, nasty }: Measured): string {
  const { text, crops, engine, textOfEngine, p95Seconds } = speedOf(rows)
  const rate = (value: number | null) => value === null ? '-' : value.toFixed(1)
  const lines = Object.entries(tables).flatMap(([theme, columns]) => columns.map(column => {
    const counts = rows.map(row => row.counts[column.measure])
    const known = counts.filter(count => count !== null).length
    return `| ${theme} | ${column.name} | ${cellOf(rows, column)} | ${figure(read(sumOf(counts), column.reading))} | ${figure(macroOf(counts, column.reading))} | ${known} |`
  }))
  return [
    `### ${name}: ${rows.length} papers, ${rows.reduce((sum, row) => sum + row.pages, 0)} pages\n`,
    '| theme | measure | total | share | mean of the papers | papers |', '|---|---|---|---|---|---|', ...lines, '',
    `Pages a second: text only ${rate(text)}, with crops ${rate(crops)}, bare engine ${rate(engine)} (text is ${figure(textOfEngine)} of it); 95 % of the papers within ${rate(p95Seconds)} s.`,
    ...nasty.length === 0 ? [] : [`Hostile files: ${nasty.filter(({ right }) => right).length} of ${nasty.length} as expected.`], ''
  ].join('\n')
}
