/** The stretches of a reply that hold its answer. */
import { reasoningMarks, withoutReasoning, type Stretch } from '../../../../shared/answers/reasoning.ts'
import { readValue, scanOf } from './reader.ts'

/** More places where an answer may begin are not tried. */
const startsMax = 16

/**
 * As shared/answers/reasoning.ts has it, but a mark inside a text of the answer is part of that text:
 * an item may ask what <think> does.
 *
 * @returns null when the reasoning never ends
 */
export function answerStretches (reply: string, keys: ReadonlySet<string>): Stretch[] | null {
  const marks = [...reply.matchAll(reasoningMarks)]
  if (marks.length === 0) return [[0, reply.length]]
  const starts = [0, ...marks.map(mark => mark.index + mark[0].length)].slice(0, startsMax)
  for (const start of starts) {
    const inside = valueAround(reply, start, keys)
    if (inside === null) continue
    const [from, to] = inside
    const outside = marks.some(({ index }) => index >= start && (index < from || index >= to))
    const within = marks.some(({ index }) => index >= from && index < to)
    if (within && !outside) return [[start, reply.length]]
  }
  return withoutReasoning(reply)
}

/** The first value behind a place, if it is JSON as it should be. */
function valueAround (reply: string, start: number, keys: ReadonlySet<string>): Stretch | null {
  const bracket = reply.slice(start).search(/[[{]/)
  if (bracket < 0) return null
  const scan = { ...scanOf(reply, keys), at: start + bracket }
  try { readValue(scan, 'root') } catch { return null }
  return [start + bracket, scan.at]
}
