/**
 * Cuts a byte stream into server-sent events without altering a byte (WHATWG HTML §9.2). Lines end
 * with LF or CRLF; a lone CR, which no model server writes, ends none.
 */

export interface SseEvent {
  /** As received, blank line included. */
  bytes: Buffer
  /** The `data` lines joined by LF; null for comments and other fields. */
  data: string | null
}

export interface SseReader {
  /**
   * The events this chunk completes.
   * @throws RangeError when one grows beyond the bound
   */
  push: (chunk: Buffer) => SseEvent[]
  /** What came after the last complete event. */
  rest: () => SseEvent
}

const lf = 0x0a
const cr = 0x0d
/** May stand before the stream, and is no part of its first line. */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export function createSseReader (eventBytesMax: number): SseReader {
  /** The open event as far as it has come: pieces, so that a slow one is not copied at each byte. */
  let parts: Buffer[] = []
  let size = 0
  /** Bytes of the open line, and the last of all bytes. */
  let lineLength = 0
  let lastByte = 0
  let isFirst = true

  function hold (piece: Buffer): void {
    if (piece.length === 0) return
    size += piece.length
    if (size > eventBytesMax) throw new RangeError(`an event of more than ${eventBytesMax} bytes`)
    parts.push(piece)
  }

  function take (piece: Buffer): SseEvent {
    const bytes = parts.length === 0 ? piece : Buffer.concat([...parts, piece])
    parts = []
    size = 0
    const { length } = byteOrderMark
    const mark = isFirst && bytes.subarray(0, length).equals(byteOrderMark) ? length : 0
    isFirst = false
    return { bytes, data: dataOf(bytes.subarray(mark)) }
  }

  return {
    push (chunk) {
      const events: SseEvent[] = []
      let eventStart = 0
      let lineStart = 0
      for (let at = chunk.indexOf(lf); at !== -1; at = chunk.indexOf(lf, at + 1)) {
        const length = lineLength + at - lineStart
        const before = at > 0 ? chunk[at - 1] : lastByte
        if (length === 0 || (length === 1 && before === cr)) {
          events.push(take(chunk.subarray(eventStart, at + 1)))
          eventStart = at + 1
        }
        lineLength = 0
        lineStart = at + 1
      }
      lineLength += chunk.length - lineStart
      lastByte = chunk.at(-1) ?? lastByte
      hold(chunk.subarray(eventStart))
      return events
    },
    rest: () => take(Buffer.alloc(0))
  }
}

function dataOf (bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  // Nearly every event is one line of data.
  if (text.startsWith('data: ') && text.indexOf('\n') >= text.length - 2) return text.slice(6).trimEnd()
  const lines = text.split(/\r?\n/).filter(line => line.startsWith('data:'))
  if (lines.length === 0) return null
  return lines.map(line => line.slice(line[5] === ' ' ? 6 : 5)).join('\n').trimEnd()
}
