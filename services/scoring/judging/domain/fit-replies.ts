/** Replies within the room that a judge's context leaves: what is left out is the middle, and is said. */
import { usualBytesPerToken } from '../../../../shared/text/content-budget.ts'

export interface FittedReplies { texts: string[], leftOut: string[] }

/** Of a mark that stands in place of what is left out. */
const markBytes = 100
/** With less of a reply nothing is judged. */
export const replyTokensLeast = 64

/**
 * All of them whole where they fit together; else each as much as the others leave, at least its equal
 * share, its first and its last half: conclusions stand at the end.
 *
 * @param room  tokens of all together, and bytes of a token to count by
 */
export function fitReplies (
  replies: readonly string[], room: { tokens: number, bytesPerToken?: number | undefined }
): FittedReplies {
  const bytesMax = Math.max(0, Math.floor(room.tokens * (room.bytesPerToken ?? usualBytesPerToken)))
  const shares = sharesOf(replies.map(text => Buffer.byteLength(text)), bytesMax)
  const leftOut: string[] = []
  const texts = replies.map((text, i) => {
    if (Buffer.byteLength(text) <= shares[i]!) return text
    const { cut, left, of } = withoutMiddle(text, Math.max(0, shares[i]! - markBytes))
    leftOut.push(`${left} of ${of} characters in the middle of ${replies.length === 1 ? 'the reply' : `reply ${i + 1}`}`)
    return cut
  })
  return { texts, leftOut }
}

/** What is small leaves its rest to the others. */
function sharesOf (sizes: readonly number[], bytesMax: number): number[] {
  const shares = new Array<number>(sizes.length).fill(0)
  const ascending = [...sizes.keys()].sort((a, b) => sizes[a]! - sizes[b]!)
  let room = bytesMax
  for (const [at, i] of ascending.entries()) {
    shares[i] = Math.min(sizes[i]!, Math.floor(room / (sizes.length - at)))
    room -= shares[i]!
  }
  return shares
}

function withoutMiddle (text: string, bytesMax: number): { cut: string, left: number, of: number } {
  const points = [...text]
  const half = Math.floor(bytesMax / 2)
  const start = takenOf(points, half)
  const end = takenOf([...points].reverse(), half)
  const left = points.length - start - end
  const mark = `[… ${left} characters of the reply are left out here: there is no room for them …]`
  return { cut: `${points.slice(0, start).join('')}\n${mark}\n${points.slice(points.length - end).join('')}`, left, of: points.length }
}

/** How many of the first fit. */
function takenOf (points: readonly string[], bytesMax: number): number {
  let bytes = 0
  for (const [i, point] of points.entries()) {
    bytes += Buffer.byteLength(point)
    if (bytes > bytesMax) return i
  }
  return points.length
}
