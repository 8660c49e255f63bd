/** A comparison of selections as a table of Markdown. */
import { measures, type DiversityEstimate, type Measure, type Rival } from '../../../shared/contracts/diversity.ts'
import type { PaperDiversity } from '../../../shared/text/diversity/compare.ts'
import { diversityOver, selectionOver } from '../../../shared/text/diversity/summary.ts'

/** Of these less is better. */
const repetitions: ReadonlySet<Measure> = new Set(['meanOverlap', 'nearestOverlap'])

/** Papers that left nothing out have no comparison, and are in no column; numbers of papers in brackets. */
export function comparisonTable (title: string, all: readonly PaperDiversity[]): string {
  const papers = all.filter(({ rivals }) => rivals !== null)
  const selection = selectionOver(papers)
  if (selection === null) return `${title}: nothing was left out\n`
  const ours = diversityOver(papers)
  const rows = measures.map(measure => {
    const { [measure]: own } = ours.measures
    return `| ${measure} | ${text(own.value)} (${own.papers}) | ${rivalText(selection.random, measure)} | ${rivalText(selection.kCentre, measure)} |`
  })
  return [
    `${title}: ${selection.chosen} of ${selection.of} items in ${selection.papers} papers, ${selection.draws} random draws`,
    '',
    '| | ours (papers) | random | ours − random | | k-centre | ours − k-centre | |',
    '|---|---|---|---|---|---|---|---|',
    ...rows
  ].join('\n')
}

function rivalText (rival: Rival, measure: Measure): string {
  const { value, difference } = rival[measure]
  return `${text(value)} | ${intervalText(difference)} | ${verdictOf(difference, measure)}`
}

function intervalText ({ value, low, high, papers }: DiversityEstimate): string {
  const interval = low === null || high === null ? '' : ` [${text(low)}, ${text(high)}]`
  return `${text(value)}${interval} (${papers})`
}

/** Whether the interval of the difference leaves 0 out. */
function verdictOf ({ low, high }: DiversityEstimate, measure: Measure): string {
  if (low === null || high === null || (low <= 0 && high >= 0)) return ''
  return (low > 0) === !repetitions.has(measure) ? 'better' : 'worse'
}

function text (value: number | null): string {
  return value === null ? '–' : value.toFixed(3)
}
