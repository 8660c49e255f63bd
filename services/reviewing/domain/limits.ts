/** What stands on a data card under limits: what numbers made with the benchmark do not say. */
import type { BenchmarkItem, Source } from '../../../shared/contracts/benchmark.ts'
import { bankLimits, type Banks } from './bank/card.ts'
import { isUnjudged } from './data-card.ts'

/** Below so many papers an interval is conditional on these papers. */
const papersForInference = 5

interface Sources { sources: readonly Source[], ofBanks?: Banks }

export function limitsOf (items: readonly BenchmarkItem[], asked: Sources): string[] {
  const { sources, ofBanks = { banks: [], flagged: 0 } } = asked
  const ofPapers = sources.length > 0
  const unlicensed = sources.filter(({ licence }) => licence === 'unknown').length
  const unjudged = items.some(isUnjudged)
  const families = items.map(one => [one.generatorFamily ?? null, one.reviewerFamily ?? null])
  const same = families.some(([generator, reviewer]) => generator !== null && generator === reviewer)
  const unknown = families.flat().some(family => family?.startsWith('unknown:'))
  const limits: Array<[boolean, string]> = [
    [ofPapers, 'Items of one paper are not independent; an interval must count papers, not items.'],
    [ofPapers && sources.length < papersForInference, `With ${sources.length} of at least ${papersForInference} papers, a score speaks of these papers and of no others.`],
    [unlicensed > 0, `The terms of ${unlicensed} of the ${sources.length} papers are unknown: whoever publishes their text or figures must find them out first.`],
    [unjudged, 'Whether the answers of unreviewed items on which nobody decided are right, no model and no person has judged.'],
    [same, 'Some items were written and judged by models of one family, which may favour what is like itself.'],
    [unknown, 'The family of a model behind some items is not known; a test of self-preference cannot place them.'],
    [items.some(({ figureIds }) => figureIds.length > 0), 'That an item names a figure does not show that the picture is needed to answer it.'],
    ...bankLimits(items, ofBanks)
  ]
  return limits.filter(([holds]) => holds).map(([, limit]) => limit)
}
