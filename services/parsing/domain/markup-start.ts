/** How a file of markup begins: its encoding, as XML and HTML define it, and its first element. */

const labels: Array<[RegExp, string]> = [
  [/^\u00FE\u00FF|^\0</, 'utf-16be'],
  [/^\u00FF\u00FE|^<\0/, 'utf-16le'],
  [/^\u00EF\u00BB\u00BF/, 'utf-8']
]

/**
 * The label of the encoding, in lower case: by byte order mark, by the zero bytes of UTF-16, by the
 * XML declaration, or by HTML's meta element; undefined where nothing says.
 *
 * @param start the first bytes; 1,024 suffice
 * @see XML 1.0, appendix F; HTML, 13.2.3.2
 */
export function encodingOf (start: Uint8Array): string | undefined {
  const text = Buffer.from(start.subarray(0, 1_024)).toString('latin1')
  for (const [mark, label] of labels) if (mark.test(text)) return label
  const declared = /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/u.exec(text)?.[1] ??
    /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?([\w.:-]{1,40})/iu.exec(text)?.[1]
  return declared?.toLowerCase()
}

/**
 * The name of the first element, without its prefix; white space, comments, processing instructions
 * and a document type are stepped over. 'html' also where only the document type says so.
 *
 * @returns undefined when the text does not begin as markup does, or is cut before its first element
 */
export function rootOf (text: string): { name: string, at: number } | undefined {
  let at = skipSpace(text, text.startsWith('\uFEFF') ? 1 : 0)
  while (text[at] === '<') {
    const next = text[at + 1]
    if (next !== '!' && next !== '?') break
    const end = text.startsWith('<!--', at)
      ? endOf(text, '-->', at + 4)
      : next === '?' ? endOf(text, '?>', at + 2) : endOfDoctype(text, at + 2)
    if (end === undefined) return undefined
    if (/^<!doctype\s+html\b/iu.test(text.slice(at, at + 100))) return { name: 'html', at }
    at = skipSpace(text, end)
  }
  const name = /^<(?:[\p{L}_][\p{L}\p{N}_.-]{0,60}:)?([\p{L}_][\p{L}\p{N}_.-]{0,60})(?=[\s/>])/u.exec(text.slice(at, at + 140))?.[1]
  return name === undefined ? undefined : { name, at }
}

function skipSpace (text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n\f'.includes(text[at]!)) at++
  return at
}

function endOf (text: string, mark: string, from: number): number | undefined {
  const at = text.indexOf(mark, from)
  return at === -1 ? undefined : at + mark.length
}

/** Past quoted strings, comments and an internal subset, whose declarations nest one level of brackets. */
function endOfDoctype (text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === '[') depth++
    else if (character === ']') depth--
    else if (character === '>' && depth <= 0) return at + 1
    else if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1)
      if (end === -1) return undefined
      at = end
    } else if (text.startsWith('<!--', at)) {
      const end = endOf(text, '-->', at + 4)
      if (end === undefined) return undefined
      at = end - 1
    }
  }
  return undefined
}
