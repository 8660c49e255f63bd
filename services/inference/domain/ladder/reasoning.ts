/** The stretches of a reply that hold its answer. */
import { withoutReasoning, type Stretch } from '../../../../shared/answers/reasoning.ts'
import { valuesIn, type Sought } from './candidates.ts'

/** More marks than this are not looked at one by one. */
const marksMax = 100

/**
 * As shared/answers/reasoning.ts has it, but a mark inside a text of JSON is a word of that text: an item
 * may ask what <think> does.
 *
 * @returns null when the reasoning never ends
 */
export function stretchesAround (reply: string, sought: Sought): Stretch[] | null {
  let looked = 0
  return withoutReasoning(reply, (from, at) =>
    ++looked <= marksMax && valuesIn(reply.slice(from, at), sought).cut?.inText === true)
}
