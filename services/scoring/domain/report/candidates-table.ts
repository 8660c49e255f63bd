/** Training candidates in the page and in Markdown. */
import type { Report, TrainingCandidates } from '../../../../shared/contracts/report.ts'
import { html, type Markup } from './html.ts'
import { writtenInterval } from './numbers.ts'
import { inline } from './report-text.ts'

const placesMax = 100

const meaning = 'Yes/no and multiple-choice items that the model fails without the paper (content none) and with retrieval, and passes when it is shown the evidence: the text would have told it, and it neither knows it nor finds it. Open questions have no pass mark and take no part.'

export function candidatesSection ({ trainingCandidates }: Report): Markup | null {
  if (trainingCandidates === undefined) return null
  const { models, missing } = trainingCandidates
  return html`<section aria-labelledby="candidates"><h2 id="candidates">Training candidates</h2><p class="soft">${meaning}</p>
${models.map(ofModel)}
${missing.length === 0 ? null : html`<ul class="notes">${missing.map(({ model, reason }) => html`<li><b>${model}</b>: none can be named. ${reason}</li>`)}</ul>`}</section>`
}

function ofModel ({ model, share, byChance, places }: TrainingCandidates): Markup {
  return html`<h3>${model}</h3><p>${shareLine({ share, byChance })}</p>
${places.length === 0
  ? null
  : html`<div class="scroll" role="region" tabindex="0" aria-label="Table: training candidates of ${model}"><table><caption><span>Papers and places with most candidates first.${places.length > placesMax ? ` The first ${placesMax} of ${places.length}.` : ''}</span></caption>
<thead><tr><th scope="col">Paper</th><th scope="col" class="text">Place</th><th scope="col">Candidates</th><th scope="col">Items there (n)</th></tr></thead>
<tbody>${places.slice(0, placesMax).map(({ paperTitle, paperId, place, itemIds, n }) => html`<tr><th scope="row">${paperTitle || paperId || 'no paper'}</th><td class="text">${place}</td><td>${itemIds.length}</td><td>${n}</td></tr>`)}</tbody></table></div>`}`
}

function shareLine ({ share, byChance }: Pick<TrainingCandidates, 'share' | 'byChance'>): string {
  if (share.value === null) return `No number: ${share.reason ?? ''}`
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`
  const interval = share.interval === null ? '' : ` ${writtenInterval({ metric: 'accuracy', interval: share.interval })}`
  return `${percent(share.value)}${interval} of n = ${share.n} items; picks at random would give ${byChance === null ? '–' : percent(byChance)}. A share near that shows nothing.`
}

export function candidatesMarkdown ({ trainingCandidates }: Report): string[] {
  if (trainingCandidates === undefined) return []
  const { models, missing } = trainingCandidates
  return [
    '', '## Training candidates', '', meaning, '',
    ...models.flatMap(({ model, places, ...own }) => [
      `- **${inline(model)}**: ${inline(shareLine(own))}`,
      ...places.slice(0, placesMax).map(({ paperTitle, paperId, place, itemIds, n }) =>
        `  - ${inline(paperTitle || paperId || 'no paper')}, ${inline(place)} ${itemIds.length} of n = ${n}: ${itemIds.map(id => `\`${id}\``).join(', ')}`)
    ]),
    ...missing.map(({ model, reason }) => `- **${inline(model)}**: none can be named. ${inline(reason)}`)
  ]
}
