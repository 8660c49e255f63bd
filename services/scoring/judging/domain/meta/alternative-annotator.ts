/** Whether a judge may stand in for a rater: the alternative annotator test. */
import type { AlternativeAnnotator } from '../../../../../shared/contracts/meta-evaluation.ts'
import { clustersMin } from '../../../../../shared/stats/agreement-interval.ts'
import { clusteredMean } from '../../../../../shared/stats/clustered.ts'
import { tTail } from '../../../../../shared/stats/distributions.ts'
import { falseDiscoveryRates } from '../../../../../shared/stats/false-discovery.ts'
import { meanOf } from '../summary/judged.ts'
import type { HeldReply } from './labelled.ts'

/** The authors ask for three raters, and for so many replies of each before the test is of any use. */
const ratersLeast = 3
const repliesLeast = 30
/** Of false discoveries over raters. */
const share = 0.05

/**
 * For each rater: on which share of replies is the judge, and on which the rater, at least as near to the
 * other raters (root mean square of the differences of totals)? The judge wins against a rater where its
 * share is shown to be no more than ε below the rater's; it passes where it wins against half of them. ε is
 * what a rater costs more than a judge: .2 for experts, .1 for crowd workers.
 *
 * The test is t, one-sided; on the CR2 variance over papers from five papers on, else over replies as if
 * they were independent, as the authors have it.
 *
 * @see Calderon, Reichart & Dror 2025, arXiv:2501.10970
 */
export function alternativeAnnotator (
  replies: readonly HeldReply[], { raters, epsilon }: { raters: readonly string[], epsilon: number }
): AlternativeAnnotator {
  const none = (reason: string): AlternativeAnnotator =>
    ({ passes: null, winningRate: null, advantage: null, epsilon, raters: [], reason })
  if (raters.length < ratersLeast) return none(`It takes ${ratersLeast} raters: with fewer there are no others to be near to.`)
  const tested = raters.map((rater, j) => ({ rater, ...testAgainst(comparedWith(replies, j), epsilon) }))
  const least = Math.min(...tested.map(({ n }) => n))
  if (least < repliesLeast) return none(`It takes ${repliesLeast} replies that a rater and another have labelled; the fewest are ${least}.`)
  const rates = falseDiscoveryRates(tested.map(({ p }) => p), 'by')
  const rows = tested.map((row, i) => ({ ...row, q: rates[i]! }))
  const winningRate = meanOf(rows.map(({ q }) => q <= share ? 1 : 0))
  const advantage = meanOf(rows.map(({ judge }) => judge))
  return { passes: winningRate >= 0.5, winningRate, advantage, epsilon, raters: rows }
}

interface Compared { judge: 0 | 1, human: 0 | 1, cluster: string }

/** Replies that the rater and at least one other labelled. */
function comparedWith (replies: readonly HeldReply[], rater: number): Compared[] {
  return replies.flatMap(({ people, judge, cluster }) => {
    const own = people[rater]
    const others = people.flatMap((rated, k) => k === rater || rated === null ? [] : [rated.total])
    if (own === null || own === undefined || others.length === 0) return []
    const [ofJudge, ofRater] = [distance(judge.total, others), distance(own.total, others)]
    return [{ judge: ofJudge <= ofRater + 1e-9 ? 1 : 0, human: ofRater <= ofJudge + 1e-9 ? 1 : 0, cluster }]
  })
}

function distance (total: number, others: readonly number[]): number {
  return Math.sqrt(meanOf(others.map(other => (total - other) ** 2)))
}

function testAgainst (compared: readonly Compared[], epsilon: number) {
  const n = compared.length
  if (n === 0) return { n, judge: 0, human: 0, p: 1, over: 'replies' }
  const behindBy = compared.map(({ judge, human, cluster }) => ({ value: human - judge, cluster }))
  const found = clusteredMean(behindBy)
  const byPaper = found.clusters >= clustersMin
  const [error, df] = byPaper ? [found.seCr2, found.clusters - 1] : [found.seIndependent, n - 1]
  const behind = found.mean - epsilon
  // Where nothing varies there is nothing to doubt.
  const p = error > 1e-12 ? tTail(-behind / error, df) : behind < 0 ? 0 : 1
  return {
    n,
    judge: meanOf(compared.map(({ judge }) => judge)),
    human: meanOf(compared.map(({ human }) => human)),
    p,
    over: byPaper ? 'papers' : 'replies'
  }
}
