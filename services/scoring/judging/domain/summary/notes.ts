/** What a reader must know before quoting a number. */
import type { RunJudged } from '../../../../../shared/contracts/judgement-summary.ts'
import { totalRange } from '../rubric.ts'
import type { JudgementSpec } from '../spec.ts'

const papersFew = 5

export function notesOf (
  { form, rubric, reference, images, repeats, positionSwap, judges }: JudgementSpec,
  { complete, runs, labelled }: { complete: boolean, runs: readonly RunJudged[], labelled: boolean }
): string[] {
  const { min, max } = totalRange(rubric)
  const lost = runs.flatMap(run => run.judges).some(({ outcomes }) =>
    ['unparsable', 'refused', 'truncated', 'error', 'skipped'].some(outcome => (outcomes[outcome as 'error'] ?? 0) > 0))
  const cut = runs.some(run => run.judges.some(({ cutReplies }) => cutReplies > 0))
  const notes: Array<[boolean, string]> = [
    [!complete, 'Not every asking has a rating: errors are still to be retried, or the work was stopped. Means so far may be biased by what is missing.'],
    [form === 'scores', `Totals are raw, ${min} to ${max}. total.minMax is (x - ${min}) / ${max - min}, total.shareOfMax is x / ${max}: never compare one with the other.`],
    [form === 'scores', `Means are over answered predictions that the judge has rated. total.unansweredAsLeast counts unparsable, refused and truncated predictions, and answers that are all reasoning, as ${min}; error and skipped predictions count in neither.`],
    [lost, 'Ratings that were unparsable, refused, truncated, skipped or in error are in no mean: neither as -1 nor as the least.'],
    [cut, 'Some replies were too long for the judge and were judged without their middle (cutReplies).'],
    [repeats > 1, `Each judge was asked ${repeats} times; a prediction counts once, with the mean of its repeats. Agreement among judges is of the first repeat.`],
    [form === 'preferences' && positionSwap, 'Each pair was asked in both orders. A run wins where both prefer it; every other pair is a tie, flipped ones too.'],
    [form === 'preferences' && !positionSwap, 'Pairs were asked in one order alone: a liking for the first place cannot be told from a preference.'],
    [reference === 'none', 'The judges were given no reference: they judged by what they know themselves.'],
    [images === 'withheld', 'The judges were not shown the figures.'],
    [judges.length === 1, 'There is one judge: its own taste cannot be told from quality.'],
    [!labelled && form === 'scores', 'No person has labelled any of it: how far the judges can be trusted is not known. POST …/samples draws what to label.'],
    [runs.some(run => run.judges.some(({ scores }) => scores.some(({ clusters }) => clusters > 0 && clusters < papersFew))), `Below ${papersFew} papers an interval is conditional on these papers.`]
  ]
  return notes.filter(([holds]) => holds).map(([, note]) => note)
}
