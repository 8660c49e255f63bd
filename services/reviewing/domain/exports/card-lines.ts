/** Diversity and agreement as lines of a card; each number with its n. */
import type { AgreementEstimate, CardAgreement, QuestionAgreement } from '../../../../shared/contracts/agreement.ts'
import { clustersMin } from '../../../../shared/stats/agreement-interval.ts'
import type { DataCard } from '../../../../shared/contracts/benchmark.ts'
import { measures, type DiversityEstimate, type Measure, type SelectionDiversity } from '../../../../shared/contracts/diversity.ts'

const names: Record<Measure, string> = {
  sentences: 'sentences quoted',
  sections: 'sections asked about or quoted',
  figures: 'figures asked about',
  tables: 'tables asked about',
  claims: 'sentences of the abstract spoken of',
  sectionEntropy: 'evenness over sections',
  questionClassEntropy: 'evenness over classes of question',
  difficultyEntropy: 'evenness over difficulty',
  figureTypeEntropy: 'evenness over types of figure',
  distinct2: 'different word pairs (distinct-2)',
  meanOverlap: 'word pairs two items share (low is diverse)',
  nearestOverlap: 'word pairs an item shares with the most alike (low is diverse)',
  supportRate: 'support rate'
}

export function diversityLines (diversity: DataCard['diversity']): string[] {
  if (diversity === undefined || diversity.papers === 0) return []
  const { measures: found, classes, selections, papers, items } = diversity
  return [
    `${items} items of ${papers} ${papers === 1 ? 'paper' : 'papers'}; means over papers with 95 % intervals, pairs counted once.`,
    ...measures.map(measure => `${names[measure]}: ${estimateText(found[measure])}, n = ${found[measure].n}`),
    ...Object.entries(classes).map(([axis, counts]) =>
      `${axis}: ${Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(', ') || 'none'}`),
    ...selections.flatMap(selectionLines)
  ]
}

function selectionLines (
  { generationId, papers, chosen, of, draws, random, kCentre }: SelectionDiversity & { generationId: string }
): string[] {
  const rivals = [[`random (mean of ${draws})`, random], ['k-centre', kCentre]] as const
  return [
    `Generation ${generationId} chose ${chosen} of ${of} items in ${papers} ${papers === 1 ? 'paper' : 'papers'}; differences from other choices of equal count, kinds and support rate:`,
    ...rivals.map(([name, rival]) => `to ${name}: ${measures.map(measure => `${measure} ${estimateText(rival[measure].difference)}`).join('; ')}`)
  ]
}

function estimateText ({ value, low, high, papers }: DiversityEstimate): string {
  if (value === null) return 'none'
  const interval = low === null || high === null ? 'no interval' : `${low.toFixed(3)} to ${high.toFixed(3)}`
  return `${value.toFixed(3)} (${interval}; ${papers} ${papers === 1 ? 'paper' : 'papers'})`
}

export function agreementLines (agreement: readonly CardAgreement[] | null | undefined): string[] {
  if (agreement === undefined) return []
  if (agreement === null) return ['No two people reviewed the same item.']
  return agreement.flatMap(({ reviewingId, questionnaireId, questions }) => questions.map(question => {
    const { level, units, papers, raters, percentAgreement, gwetAC1, gwetAC2 } = question
    const { alphaNominal: nominal, alphaOrdinal: ordinal, alphaInterval: interval } = question
    const alpha = { nominal, ordinal, interval }[level]
    const [acName, ac] = level === 'nominal' ? ['AC1', gwetAC1] as const : ['AC2', gwetAC2] as const
    return `${reviewingId}, ${questionnaireId === null ? 'decision' : `${questionnaireId}: ${question.question}`}: ${raters} raters, ${units} rated twice or more, ${papers} ${groupsOf(question)}; same answer ${coefficientText(percentAgreement)}, Gwet's ${acName} ${coefficientText(ac)}, Krippendorff's alpha (${level}) ${coefficientText(alpha)}`
  }))
}

/** Below five an interval over items does not tell whether they are of papers or of a bank. */
function groupsOf (question: Pick<QuestionAgreement, 'papers' | 'percentAgreement'>): string {
  const { papers, percentAgreement: { over } } = question
  if (over === 'items') return papers < clustersMin ? 'papers or clusters' : 'independent items'
  return over ?? 'papers or clusters'
}

function coefficientText ({ value, low, high }: AgreementEstimate): string {
  if (value === null) return 'none'
  return low === null || high === null ? value.toFixed(3) : `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
}
