/** What a writer is told after a review: the later the round, the more the feedback counts. */
import type { Objection } from './loop.ts'

export interface Feedback {
  /** How feedback and earlier text weigh against each other. */
  weight: string
  /** Whether the writer sees the text that was objected to. */
  showsEarlier: boolean
  /** One objection a line, the newest round first. */
  objections: string
}

/** Of each objection and of all of them, in code points: they share the context with the paper. */
const reasonMax = 400
const objectionsMax = 24

/**
 * Round 1 mends the text, round 2 keeps of it only what nobody objected to, from round 3 on it is
 * written anew: the feedback has all the weight, and the earlier text none.
 *
 * @param round  from 1
 */
export function feedbackFor (round: number, objections: readonly Objection[]): Feedback {
  const newestFirst = objections.map((each, i) => ({ ...each, i }))
    .sort((a, b) => b.round - a.round || a.i - b.i).slice(0, objectionsMax)
  return {
    weight: weights[Math.min(round, weights.length) - 1]!,
    showsEarlier: round < weights.length,
    objections: newestFirst.map(shown).join('\n')
  }
}

const weights = [
  'Mend the earlier text: change what the reviewer objects to, and leave the rest as it is.',
  'The objections count more than the earlier text: keep only the parts of it that nobody objected to, and write the rest anew.',
  'The objections count, the earlier text does not: it failed more than once, is not shown, and everything is to be written anew.'
]

function shown ({ round, about, reason }: Objection): string {
  const points = [...reason.replace(/\s+/gu, ' ').trim()]
  const text = points.length <= reasonMax ? points.join('') : `${points.slice(0, reasonMax - 1).join('')}…`
  return `- ${round === 0 ? 'as first written' : `rewriting ${round}`}, ${about}: ${text}`
}
