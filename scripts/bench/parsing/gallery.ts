/** A page that shows the measurements, and the pages on which something went wrong. */
import { readFileSync, writeFileSync } from 'node:fs'
import { marksOf, type Mark } from '../../../services/parsing/domain/marks.ts'
import { renderPage } from '../../../services/parsing/parse-pdf.ts'
import type { CorpusPaper } from './corpus.ts'
import type { Row } from './measure.ts'
import { tables } from './measures.ts'
import { cellOf } from './print.ts'

export interface Shown { paper: CorpusPaper, row: Row }

const pagesMax = 3
const dpi = 60

/**
 * One HTML file without references to others. Pictures only of papers that may be passed on: what the
 * document has on the page, and in black the true boxes of figures.
 */
export async function writeGallery (file: string, shown: readonly Shown[]): Promise<void> {
  const sections: string[] = []
  for (const each of shown) {
    if (each.row.misses.length > 0) sections.push(await sectionOf(each))
  }
  const rows = shown.map(({ row }) => row)
  writeFileSync(file, `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Parsing: measured papers</title>
<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:2px 6px;text-align:right}td:first-child{text-align:left}img{margin:4px;border:1px solid #ccc}pre{white-space:pre-wrap}</style>
<h1>Parsing: measured papers</h1>
${Object.entries(tables).map(([theme, columns]) => `<h2>${escaped(theme)}</h2><table>${
  [['paper', ...columns.map(({ name }) => name)],
    ...rows.map(row => [row.slug, ...columns.map(column => cellOf([row], column))]),
    ['total', ...columns.map(column => cellOf(rows, column))]
  ].map(cells => `<tr>${cells.map(cell => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('\n')}</table>`).join('\n')}
<h1>What went wrong</h1>
${sections.join('\n')}
</html>
`)
}

async function sectionOf ({ paper, row }: Shown): Promise<string> {
  const text = `<h2>${escaped(row.slug)} (${escaped(row.style)})</h2><pre>${row.misses.map(escaped).join('\n')}</pre>`
  if (!paper.redistributable) return `${text}<p>No pictures: the paper may not be passed on.</p>`
  const named = row.misses.flatMap(miss => Array.from(miss.matchAll(/ p(\d+)\b/gu), ([, page]) => Number(page)))
  const pages = [...new Set(named)].filter(page => page <= row.pages).sort((a, b) => a - b).slice(0, pagesMax)
  const bytes = readFileSync(paper.pdf)
  const pictures: string[] = []
  for (const page of pages) {
    const marks = [...marksOf(row.document, page), ...trueBoxes(paper, page)]
    const png = Buffer.from(await renderPage(bytes, page, { dpi, marks })).toString('base64')
    pictures.push(`<img alt="page ${page}" src="data:image/png;base64,${png}">`)
  }
  return text + pictures.join('\n')
}

function trueBoxes ({ truth }: CorpusPaper, page: number): Mark[] {
  return (truth.captions ?? []).flatMap(caption =>
    caption.bbox === undefined || caption.page !== page ? [] : [{ kind: 'truth' as const, box: caption.bbox, place: null }])
}

function escaped (text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
