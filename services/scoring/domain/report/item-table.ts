/** Every item with what each run made of it; filters work by style sheet alone: the page needs no script. */
import type { ItemScore, Report } from '../../../../shared/contracts/report.ts'
import { html, trusted, type Markup } from './html.ts'
import { headlineOf, kindNames, kindsOf, written } from './numbers.ts'
import { runNames } from './run-names.ts'

/** Of all rows; what does not fit is said to be left out. */
export const itemBytesMax = 1_600_000
const papersFiltered = 100

/** Small PNG data URLs by image id. */
export type Thumbnails = ReadonlyMap<string, string>

const outcomeWords: Record<string, string> = {
  a: 'answered', u: 'unparsable', r: 'refused', t: 'truncated', e: 'error', s: 'skipped'
}

const results = [
  ['right', 'all runs right'], ['wrong', 'all runs wrong'], ['split', 'runs disagree'], ['uncounted', 'counts for no run']
] as const

export function itemTable (report: Report, thumbnails: Thumbnails): Markup | null {
  const items = report.items ?? []
  if (items.length === 0) return null
  const names = runNames(report.runs)
  const papers = new Map(report.benchmark.papers.map(({ paperId }, at) => [paperId, at]))
  const images = new Map([...thumbnails.keys()].map((imageId, at) => [imageId, `f${at}`]))
  const { rows, cut } = rowsOf(report, { papers, images })
  const beyond = report.itemsLeftOut ?? 0
  const total = items.length + beyond
  const left = cut + beyond === 0 ? '' : ` ${total - cut - beyond} of ${total} items are listed here: the page has a limit; report.json lists ${items.length}, the predictions have all.`
  return html`<section aria-labelledby="items" class="items"><h2 id="items">All items</h2>
<p class="soft">What each run made of each item. ✓ right, ✗ wrong; a number is ROUGE-L F; a letter is how a reply ended that is no answer: u unparsable, r refused, t truncated (all wrong), e error, s skipped (in no score). Figures are thumbnails.${left}</p>
${filters(report)}
<p class="soft">Runs, in this order: ${names.map((name, at) => html`<span class="tag">${at + 1} ${name}</span>`)}</p>
<svg class="defs" aria-hidden="true">${[...thumbnails].map(([imageId, url]) => html`<symbol id="${images.get(imageId)}" viewBox="0 0 72 54"><image href="${url}" width="72" height="54"/></symbol>`)}</svg>
<div class="scroll" role="region" tabindex="0" aria-label="Table: all items"><table>
<caption><span>Items by run. The mean and the discrimination are over runs of models; an en dash is "no data".</span></caption>
<thead><tr><th scope="col">Item</th><th scope="col" class="text">Question and reference</th><th scope="col">Figure</th><th scope="col" class="text">Runs</th><th scope="col">Mean</th><th scope="col">Discrimination</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="soft">Items shown: <span class="shown"></span></p></section>`
}

/** Choices of the filters, and what each hides. */
function filters (report: Report): Markup {
  const kinds = kindsOf(report.runs)
  const papers = report.benchmark.papers.slice(0, papersFiltered)
  const hide = (option: string) => `.items:has(option[value=${option}]:checked) tbody tr:not(.${option}){display:none}`
  const options = [...kinds.map(kind => `k-${kind}`), ...results.map(([result]) => `r-${result}`), ...papers.map((_, at) => `p-${at}`)]
  return html`<style>${trusted(options.map(hide).join('\n'))}</style>
<div class="filters" role="group" aria-label="Filters"><label>Kind <select autocomplete="off"><option value="all">all</option>${kinds.map(kind => html`<option value="k-${kind}">${kindNames[kind]}</option>`)}</select></label>
<label>Result <select autocomplete="off"><option value="all">all</option>${results.map(([result, words]) => html`<option value="r-${result}">${words}</option>`)}</select></label>
${papers.length < 2 ? null : html`<label>Paper <select autocomplete="off"><option value="all">all</option>${papers.map(({ title, paperId }, at) => html`<option value="p-${at}">${title || paperId}</option>`)}</select></label>`}</div>`
}

interface Places { papers: ReadonlyMap<string, number>, images: ReadonlyMap<string, string> }

function rowsOf (report: Report, places: Places): { rows: Markup[], cut: number } {
  const items = report.items ?? []
  const rows: Markup[] = []
  let bytes = 0
  for (const item of items) {
    const row = itemRow(item, places)
    bytes += Buffer.byteLength(row.markup)
    if (bytes > itemBytesMax) break
    rows.push(row)
  }
  return { rows, cut: items.length - rows.length }
}

function itemRow (item: ItemScore, { papers, images }: Places): Markup {
  const { itemId, kind, paperId, place, question, reference, mean, n, discrimination } = item
  const paper = papers.get(paperId ?? '')
  const classes = [`k-${kind}`, `r-${resultOf(item)}`, ...paper === undefined ? [] : [`p-${paper}`]].join(' ')
  const metric = headlineOf(kind)
  const figures = item.imageIds.map(imageId => images.get(imageId))
  return html`<tr class="${classes}"><th scope="row"><code>${itemId.slice(0, 12)}</code><small>${kindNames[kind]}</small><small>${place}</small></th><td class="text">${question}<small class="wrap">→ ${reference}</small></td><td>${figures.map(id => id === undefined ? 'left out' : html`<svg class="thumb" role="img" aria-label="Figure of ${place}"><use href="#${id}"/></svg>`)}</td><td class="text marks">${item.worths.map((worth, run) => mark(worth, item.outcomes[run]!, metric === 'accuracy'))}</td><td>${written(metric, mean)}<small>n = ${n}</small></td><td>${discrimination === null ? '–' : written('correlation', discrimination)}</td></tr>`
}

function mark (worth: number | null, outcome: string, closed: boolean): Markup {
  if (outcome !== 'a') return html`<span title="${outcomeWords[outcome]}"${worth === null ? null : trusted(' class="w0"')}>${outcome}</span>`
  if (worth === null) return html`<span>–</span>`
  if (!closed) return html`<span>${worth.toFixed(2)}</span>`
  return worth === 1 ? trusted('<span class="w1">✓</span>') : trusted('<span class="w0">✗</span>')
}

/** Of open questions only whether the runs differ. */
function resultOf ({ worths, kind }: ItemScore): (typeof results)[number][0] {
  const counted = worths.filter(worth => worth !== null)
  if (counted.length === 0) return 'uncounted'
  const [least, most] = [Math.min(...counted), Math.max(...counted)]
  if (headlineOf(kind) !== 'accuracy') return least === 0 && most === 0 ? 'wrong' : 'split'
  return least === most ? least === 1 ? 'right' : 'wrong' : 'split'
}
