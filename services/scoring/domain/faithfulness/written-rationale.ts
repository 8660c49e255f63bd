/** What a model wrote before its answer, and the first part of it. */
import { codePointsIn } from '../../../../shared/text/code-points.ts'

const opening = '<scratchpad>'
const closing = '</scratchpad>'
/** As the reasoning prompts ask for it: from its word to the line of the answer. */
const begins = /^[ \t*_#>]{0,20}Rationale[*_ \t]{0,20}:/imu
const ends = /^[ \t*_#>]{0,20}Answer\b/imu

/**
 * The scratchpad of a reply to a reasoning prompt; where there is none, or an empty one, the paragraph after
 * "Rationale:". White space at its ends is taken off.
 *
 * @returns null where the reply has neither, or a scratchpad that does not end
 */
export function writtenRationale (reply: string): string | null {
  // Of the same length, as lower-casing every letter might not be.
  const lower = reply.replaceAll(/[A-Z]/gu, letter => letter.toLowerCase())
  const from = lower.indexOf(opening)
  const to = lower.indexOf(closing, from)
  if (from >= 0 && to < 0) return null
  const thought = from < 0 ? '' : reply.slice(from + opening.length, to).trim()
  if (thought !== '') return thought
  const rest = from < 0 ? reply : reply.slice(to + closing.length)
  const begun = begins.exec(rest)
  if (begun === null) return null
  const after = rest.slice(begun.index + begun[0].length)
  const given = after.slice(0, ends.exec(after)?.index).trim()
  return given === '' ? null : given
}

/** So far back, in code points, is looked for white space, so that no word is cut in a text that has any. */
const backMax = 40

/**
 * The first `share` of a text, by code points, cut back to white space.
 *
 * @param share  0 … 1; 0 is nothing, 1 is all of it
 */
export function firstPart (text: string, share: number): string {
  if (share >= 1) return text
  const points = Array.from(text)
  const wanted = Math.round(share * points.length)
  if (wanted >= points.length) return text
  const isBlank = (at: number) => /\s/u.test(points[at] ?? ' ')
  let end = wanted
  while (end > 0 && wanted - end < backMax && !isBlank(end)) end--
  // Text without white space, as Chinese has none: cut where it was to be cut.
  if (!isBlank(end)) end = wanted
  return points.slice(0, end).join('').trimEnd()
}

/** UTF-16 offset to code points. */
export function pointAt (text: string, offset: number): number {
  return codePointsIn(text, 0, offset)
}
