/** A score table as one self-contained page: no script, no network, at most 5 MB. */
import type { ScoreRanking, ScoreTable } from '../../../../shared/contracts/score-table.ts'
import { html, type Markup } from '../../domain/report/html.ts'
import { style } from '../../domain/report/style.ts'
import { charts } from './page-chart.ts'
import { filters } from './page-filters.ts'
import { metricsIn, pageRows } from './page-rows.ts'
import { pageStyle } from './page-style.ts'
import { scoreTable } from './page-table.ts'

/** @param rankings  of the table; the first orders its rows. Gives way after each row and chart. */
export function * tablePage (
  table: ScoreTable, rankings: readonly ScoreRanking[]
): Generator<void, string> {
  const useful = rankings.filter((ranking, at) => at === 0 || isOwn(ranking, rankings))
  const rows = yield * pageRows(table, useful)
  const metrics = metricsIn(rows)
  const filtering = filters(table)
  const drawn = yield * charts(rows, metrics)
  const listed = yield * scoreTable(rows, metrics, useful)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${table.name} – Viva leaderboard</title><style>${style}${pageStyle}
${filtering.rules}
${drawn.rules}
${listed.rules}</style></head>
<body><main class="board">
${header(table)}
${coverage(table)}
<section aria-labelledby="board"><h2 id="board">Models</h2>
${filtering.controls}
${drawn.markup}
${listed.markup}</section>
${rankingNotes(useful)}
<p class="soft">Score table <code>${table.id}</code>. Same rows, same page, byte for byte.</p>
</main></body></html>
`.markup
}

/** A ranking of the same rows by the same numbers as one before it says nothing more. */
function isOwn (ranking: ScoreRanking, rankings: readonly ScoreRanking[]): boolean {
  const key = ({ rows }: ScoreRanking) => rows.map(({ model, value, rank }) => `${model}\u0000${value}\u0000${rank}`).join('\n')
  return ranking.rows.some(({ rank }) => rank !== null) &&
    rankings.findIndex(other => key(other) === key(ranking)) === rankings.indexOf(ranking)
}

function header ({ name, rows, id }: ScoreTable): Markup {
  const count = (is: (row: ScoreTable['rows'][number]) => boolean) => rows.filter(is).length
  const facts = [
    ['Models', rows.length], ['Open weights', count(({ proprietary }) => proprietary === false)],
    ['Take images', count(({ vision }) => vision === true)], ['With warnings', count(({ warnings }) => warnings.length > 0)]
  ]
  return html`<header><p class="kicker">Viva leaderboard</p><h1>${name}</h1><p class="soft"><code>${id}</code></p>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl></header>`
}

function coverage ({ warnings }: ScoreTable): Markup | null {
  if (warnings.length === 0) return null
  return html`<section aria-labelledby="coverage"><h2 id="coverage">What these rows do not share</h2>
<ul class="notes">${warnings.map(({ rows, detail }) => html`<li><b>${rows} ${rows === 1 ? 'row' : 'rows'}.</b> ${detail}</li>`)}</ul></section>`
}

const titles: Record<ScoreRanking['by'], string> = {
  paired: 'By common items, answer by answer',
  text: 'By the items without images',
  all: 'By all items, of models that were asked all',
  published: 'As published'
}

function rankingNotes (rankings: readonly ScoreRanking[]): Markup {
  return html`<section aria-labelledby="method"><h2 id="method">How ranks are made</h2>
<dl class="words">${rankings.map(({ by, n, moved, method, assumes, notes, rows }) => html`<div><dt>${titles[by]}</dt><dd>${rows.filter(({ rank }) => rank !== null).length} rows, n = ${n ?? 'not the same for all'}. Method: ${method}. ${assumes}${by === 'text' || by === 'all' ? ` ${moved.rows} ranks are others than by the published accuracy of the same rows, by ${moved.most} places at most.` : ''} ${notes.join(' ')}</dd></div>`)}</dl></section>`
}
