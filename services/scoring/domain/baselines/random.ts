import { letterOf, pick } from '../question.ts'
import { isDescriptive, type BaselineReply, type Sight } from './baseline.ts'

/** Guesses, the same guess for the same item and seed: the floor of choosing without reading. */
export function random ({ question, seed }: Sight): BaselineReply {
  if (isDescriptive(question)) return { skipped: 'baseline/random cannot write; it only chooses.' }
  const index = pick(question.choices.length, `${seed}/${question.itemId}`)
  const label = question.kind === 'binary' ? question.choices[index] : letterOf(index)
  return { reply: `Answer: ${label}` }
}
