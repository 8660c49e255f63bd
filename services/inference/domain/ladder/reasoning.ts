/** The stretches of a reply that hold its answer. */
import { withoutReasoning, type Stretch } from '../../../../shared/answers/reasoning.ts'
import { valuesIn, type Sought } from './candidates.ts'

/**
 * Whether what follows a mark is the rest of a text of JSON: then nobody stopped thinking there, and what
 * stands before belongs to the answer too.
 */
export function beginsInside (reply: string, from: number): boolean {
  const [line = ''] = reply.slice(from, from + 10_000).split('\n', 1)
  return /["}\]]/.test(line.split(/[{[]/, 1)[0]!)
}

/** More marks than this are not looked at one by one. */
const marksMax = 100

/**
 * As shared/answers/reasoning.ts has it, but a mark inside a text of JSON is a word of that text: an item
 * may ask what <think> does.
 *
 * @param draftMarks  so many marks that stand in a text are none the less what they look like: the draft of
 *   an answer, given up in the middle of a text, ends with one
 * @returns null when the reasoning never ends
 */
export function answerStretches (reply: string, sought: Sought, draftMarks: number): Stretch[] | null {
  let looked = 0
  let drafts = draftMarks
  return withoutReasoning(reply, (from, at) => {
    const inText = ++looked <= marksMax && valuesIn(reply.slice(from, at), sought).cut?.inText === true
    return inText && --drafts < 0
  })
}
