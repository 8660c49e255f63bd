/** The report as one self-contained page: no script, no network, at most 5 MB. */
import type { Example, Report, RunReport } from '../../../../shared/contracts/report.ts'
import { meaningsOf } from './glossary.ts'
import { judgementsSection, repeatsSection } from './judged-sections.ts'
import { html, trusted, type Markup } from './html.ts'
import { kindNames, kindsOf } from './numbers.ts'
import { candidatesSection } from './candidates-table.ts'
import { itemTable, type Thumbnails } from './item-table.ts'
import { plotFigure, plotsOf } from './plots.ts'
import type { Plot } from './plot.ts'
import { runNames } from './run-names.ts'
import { style } from './style.ts'
import { scoreTable, signatureTable, sliceTables } from './tables.ts'

/** Of the whole page. */
export const htmlBytesMax = 5_000_000
/** Of all figures together as they stand in the page (base64); the rest is left for text. */
export const figureBytesMax = 1_600_000

/** Of all replies shown: many runs get shorter ones, so that the page stays below its limit. */
const repliesCharsMax = 400_000
const replyCharsMin = 100

/** PNG data URLs by image id; what is not there is said to be left out. */
export interface Pictures { figures: ReadonlyMap<string, string>, thumbnails: Thumbnails }

export function reportHtml (report: Report, { figures, thumbnails }: Pictures): string {
  const { benchmark, runs } = report
  const kinds = kindsOf(runs)
  const plots = plotsOf(report)
  const figure = (is: (plot: Plot) => boolean) => plots.filter(is).map(plotFigure)
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${benchmark.name} – Viva report</title><style>${style}</style></head>
<body><main>
${header(report)}
<section aria-labelledby="read"><h2 id="read">Before you read the numbers</h2>
<ul class="notes">${[...report.notes, ...benchmark.card.notes].map(note => html`<li>${note}</li>`)}</ul></section>
<section aria-labelledby="results"><h2 id="results">Results</h2>
<p class="soft">What each number means stands below, under <a href="#words">How to read the numbers</a>.</p>
${kinds.map(kind => html`<h3>${kindNames[kind]}</h3>${figure(({ name }) => name === `bars-${kind}`)}${scoreTable(report, kind)}${figure(({ name }) => moreOf.some(part => name === `${part}-${kind}`))}`)}
</section>
<section aria-labelledby="together"><h2 id="together">Runs and metrics together</h2>${figure(({ name }) => name === 'scatter' || name === 'rank-correlations')}</section>
${repeatsSection(report)}
${judgementsSection(report)}
${meanings(report)}
<section aria-labelledby="outcomes"><h2 id="outcomes">Outcomes</h2>
${figure(({ name }) => name === 'outcomes')}</section>
<section aria-labelledby="slices"><h2 id="slices">Slices</h2>${sliceTables(report)}</section>
${candidatesSection(report)}
${examples(report, figures)}
${itemTable(report, thumbnails)}
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>${runNames(runs).map((name, index) => runCard(runs[index]!, name))}</section>
${dataCard(report)}
<section aria-labelledby="method"><h2 id="method">How the numbers are made</h2>${signatureTable(report)}</section>
<p class="soft">Report <code>${report.id}</code>. Same replies, same report, byte for byte.</p>
</main></body></html>
`
  return page.markup
}

const moreOf = ['differences', 'slopes', 'radar', 'items']

function header ({ benchmark, runs }: Report): Markup {
  const { card } = benchmark
  const facts = [['Items', card.itemCount], ['Minimal pairs', card.pairCount], ...card.paperCount === 0 ? [] : [['Papers', card.paperCount] as const], ['Runs', runs.length]]
  return html`<header><p class="kicker">Viva examination report</p><h1>${benchmark.name}</h1>
<p class="soft">Benchmark <code>${benchmark.id}</code>, version <code>${benchmark.version.slice(0, 12)}</code></p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></header>`
}

function meanings (report: Report): Markup {
  return html`<section aria-labelledby="words"><h2 id="words">How to read the numbers</h2>
<dl class="words">${meaningsOf(report).map(({ term, meaning }) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl></section>`
}

function examples (report: Report, figures: ReadonlyMap<string, string>): Markup | null {
  if (report.examples.length === 0) return null
  const names = new Map(report.runs.map((run, index) => [run.runId, runNames(report.runs)[index]!]))
  const replies = report.examples.reduce((total, { replies }) => total + replies.length, 0)
  const charsMax = Math.max(replyCharsMin, Math.floor(repliesCharsMax / replies))
  return html`<section aria-labelledby="examples"><h2 id="examples">Example items</h2>
<p class="soft">At most four of each kind, those first on which the runs disagree most: worth reading, and not typical.</p>
${report.examples.map(example => exampleCard(example, { figures, names, charsMax }))}</section>`
}

interface Shown {
  figures: ReadonlyMap<string, string>
  names: ReadonlyMap<string, string>
  /** Of one reply. */
  charsMax: number
}

function exampleCard (example: Example, { figures, names, charsMax }: Shown): Markup {
  return html`<article class="example"><p><span class="tag">${kindNames[example.kind]}</span><span class="tag">${example.verdict}</span></p>
<h3>${example.question}</h3><p class="soft">${example.place} ${example.paperTitle}</p>
${example.figures.map(figure => exampleFigure(figure, figures))}
<p><b>Reference:</b> ${example.reference}</p>
${example.evidence.length === 0 ? null : html`<details><summary>Evidence in the paper</summary>${example.evidence.map(quote => html`<blockquote>${quote}</blockquote>`)}</details>`}
${example.replies.filter(({ reply }) => reply !== null).map(reply => html`<div class="reply"><b>${names.get(reply.runId)}</b> ${judgement(reply)}${replyText(reply, charsMax)}</div>`)}
${example.replies.filter(({ reply }) => reply === null).map(reply => html`<div class="reply soft"><b>${names.get(reply.runId)}</b> ${judgement(reply)} ${reply.detail}</div>`)}
</article>`
}

function replyText ({ reply, cut }: Example['replies'][number], charsMax: number): Markup {
  const characters = Array.from(reply ?? '')
  if (!cut && characters.length <= charsMax) return html`<p>${reply}</p>`
  return html`<p>${characters.slice(0, charsMax).join('')} …</p><small>Cut here; the predictions have the whole reply.</small>`
}

function judgement ({ outcome, read, correct }: Example['replies'][number]): Markup {
  if (outcome !== 'answered') return html`<span class="tag">${outcome}</span>${correct === false ? html` <span class="wrong">counts as wrong</span>` : null}`
  if (correct === null) return html`<span class="tag">answered</span>`
  return html`<span class="${correct ? 'right' : 'wrong'}">${correct ? '✓ right' : '✗ wrong'}</span> <small>read as ${read}</small>`
}

function exampleFigure ({ imageId, label, caption }: Example['figures'][number], figures: ReadonlyMap<string, string>): Markup {
  const url = figures.get(imageId)
  const image = url === undefined
    ? html`<p class="soft">Image left out: all figures of this page together may have ${(figureBytesMax / 1e6).toFixed(0)} MB, the page 5 MB.</p>`
    : html`<img src="${url}" alt="${`${label}: ${caption}`}">`
  return html`<figure>${image}<figcaption><b>${label}</b> ${caption}</figcaption></figure>`
}

function runCard ({ runId, condition, prompts, notes }: RunReport, name: string): Markup {
  const { sampling } = condition
  return html`<h3>${name}</h3>
<p>Content <code>${condition.contentMode}</code>, at most ${condition.contentTokensMax} tokens · prompt <code>${condition.prompt}</code> · figures ${condition.figures}${changesOf(condition)} · thinking ${condition.thinking ? 'on' : 'off'} · temperature ${sampling.temperature}, top-p ${sampling.topP}, at most ${sampling.maxTokens} new tokens · seed ${condition.seed}, repeat ${condition.repeat}</p>
<p class="soft">Run <code>${runId}</code>${prompts.map(prompt => html`, <code>${prompt.name}</code> (sha256 ${prompt.hash.slice(0, 12)})`)}</p>
${notes.length === 0 ? null : html`<ul class="notes">${notes.map(note => html`<li>${note}</li>`)}</ul>`}`
}

/** What is left out where the condition changes nothing. */
function changesOf ({ formulation, images, sequence, probe, ...given }: RunReport['condition']): string {
  const { rationale, rationaleShare, hint } = given
  const changes = {
    formulation: formulation === 'implicit' ? undefined : formulation, images, sequence, probe, rationale, 'rationale share': rationaleShare, hint
  }
  return Object.entries(changes).flatMap(([name, value]) => value === undefined ? [] : ` · ${name} ${value}`).join('')
}

function bankList ({ banks = [] }: Report['benchmark']['card']): Markup | null {
  if (banks.length === 0) return null
  return html`<h3>Item banks</h3><ul>${banks.map(({ name, importId, licence, release }) => html`<li>${name} <small><code>${importId}</code>, licence ${licence}, release ${release}</small></li>`)}</ul>`
}

function dataCard ({ benchmark }: Report): Markup {
  const { card } = benchmark
  const groups = [
    ['Kind', card.byKind], ['Verdict', card.byVerdict],
    ...Object.entries(card.bySlice).sort(([a], [b]) => a < b ? -1 : 1),
    ['Left out when freezing', card.leftOut]
  ] as Array<[string, Record<string, number>]>
  const rows = groups.flatMap(([group, counts]) => Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([value, count]) => html`<tr><th scope="row">${group}: ${value}</th><td>${count}</td></tr>`))
  return html`<section aria-labelledby="card"><h2 id="card">Data card</h2>
<div class="scroll" role="region" tabindex="0" aria-label="Table: data card"><table><caption>What is in the benchmark, in items, and what was left out.</caption>
<thead><tr><th scope="col">Part</th><th scope="col">Items</th></tr></thead><tbody>${rows}</tbody></table></div>
${benchmark.papers.length === 0 ? null : html`<h3>Papers</h3><ul>${benchmark.papers.map(({ paperId, title }) => html`<li>${title || trusted('<i>without a title</i>')} <small><code>${paperId}</code></small></li>`)}</ul>`}${bankList(card)}</section>`
}
