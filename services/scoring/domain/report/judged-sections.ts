/** Judge scores, and repeats taken together, in the page and in Markdown. */
import type { Report } from '../../../../shared/contracts/report.ts'
import { tableMarkdown } from '../compare/table.ts'
import { html, type Markup } from './html.ts'
import { judgementsShown } from './judgement-tables.ts'
import { repeatsMeaning, repeatsTable } from './repeats-table.ts'
import { inline } from './report-text.ts'
import { tableMarkup } from './table-markup.ts'

const judgesMeaning = 'Models (the judges) scored the replies by a rubric. A judge\'s score is its opinion: it is no accuracy, and is to be trusted as far as people\'s labels bear it out.'

export function judgementsSection (report: Report): Markup | null {
  const shown = judgementsShown(report)
  if (shown.length === 0) return null
  return html`<section aria-labelledby="judges"><h2 id="judges">Judge scores</h2><p class="soft">${judgesMeaning}</p>
${shown.map(({ title, about, tables, notes }) => html`<h3>${title}</h3>${about.map(line => html`<p class="soft">${line}</p>`)}${tables.map(tableMarkup)}
<ul class="notes">${notes.map(note => html`<li>${note}</li>`)}</ul>`)}</section>`
}

export function judgementsMarkdown (report: Report): string[] {
  const shown = judgementsShown(report)
  if (shown.length === 0) return []
  return [
    '', '## Judge scores', '', judgesMeaning,
    ...shown.flatMap(({ title, about, tables, notes }) => [
      '', `### ${inline(title)}`, '', ...about.map(line => `- ${inline(line)}`),
      ...tables.flatMap(table => ['', tableMarkdown(table, 4).trimEnd()]),
      '', ...notes.map(note => `- ${inline(note)}`)
    ])
  ]
}

export function repeatsSection (report: Report): Markup | null {
  const table = repeatsTable(report)
  if (table === null) return null
  return html`<section aria-labelledby="repeats"><h2 id="repeats">Repeats</h2><p class="soft">${repeatsMeaning}</p>${tableMarkup(table)}</section>`
}

export function repeatsMarkdown (report: Report): string[] {
  const table = repeatsTable(report)
  return table === null ? [] : ['', '## Repeats', '', repeatsMeaning, '', tableMarkdown(table, 3).trimEnd()]
}
