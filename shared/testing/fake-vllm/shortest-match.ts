/**
 * A short text that a regular expression matches: literals, classes, groups, alternatives, counts.
 * What it does not know (look-around, references back) it takes for nothing.
 */

interface Reader { source: string, at: number }

/** @returns the first alternative, every count at its least */
export function shortestMatch (source: string): string {
  return alternatives({ source, at: 0 })
}

function alternatives (reader: Reader): string {
  let first: string | null = null
  for (;;) {
    const text = sequence(reader)
    first ??= text
    if (reader.source[reader.at] !== '|') return first
    reader.at++
  }
}

function sequence (reader: Reader): string {
  let text = ''
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const unit = atom(reader)
    text += unit.repeat(Math.min(leastCount(reader), 10_000))
  }
  return text
}

function leastCount (reader: Reader): number {
  const counted = /^(?:([*?+])|\{(\d+)(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at, reader.at + 24))
  if (counted === null) return 1
  reader.at += counted[0].length
  if (counted[2] !== undefined) return Number(counted[2])
  return counted[1] === '+' ? 1 : 0
}

function atom (reader: Reader): string {
  const letter = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0)
  reader.at += letter.length
  if (letter === '^' || letter === '$') return ''
  if (letter === '.') return 'a'
  if (letter === '\\') return escaped(reader)
  if (letter === '[') return oneOfClass(reader)
  if (letter !== '(') return letter
  const kind = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(reader.source.slice(reader.at, reader.at + 64))?.[0] ?? ''
  reader.at += kind.length
  const inside = alternatives(reader)
  reader.at++
  return /[=!]$/.test(kind) ? '' : inside
}

const classes: Record<string, string> = { d: '0', w: 'a', s: ' ', D: 'a', W: ' ', S: 'a', n: '\n', t: '\t', r: '\r', b: '', B: '' }

function escaped (reader: Reader): string {
  const letter = reader.source[reader.at] ?? ''
  reader.at++
  if (letter === 'u') {
    const code = reader.source.slice(reader.at, reader.at + 4)
    reader.at += 4
    return String.fromCharCode(parseInt(code, 16))
  }
  return classes[letter] ?? letter
}

function oneOfClass (reader: Reader): string {
  const negated = reader.source[reader.at] === '^'
  if (negated) reader.at++
  const start = reader.at
  const first = reader.source[reader.at] === '\\' ? (reader.at++, escaped(reader)) : reader.source[reader.at++] ?? ''
  while (reader.at < reader.source.length && reader.source[reader.at] !== ']') {
    reader.at += reader.source[reader.at] === '\\' ? 2 : 1
  }
  const all = `[^${reader.source.slice(start, reader.at)}]`
  reader.at++
  if (!negated) return first
  try {
    const outside = new RegExp(all, 'u')
    return [...'a0 _-A.!'].find(each => outside.test(each)) ?? 'a'
  } catch { return 'a' }
}
