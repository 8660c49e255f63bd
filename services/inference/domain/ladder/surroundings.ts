/** What stands before, between and after values: whether it may be left out, and what it was. */
import { Unreadable, type Note } from './notes.ts'

/** @throws Unreadable when what stands around seems to belong to the value */
export function framing (text: string, from: number, to: number): Note[] {
  const before = text.slice(0, from)
  const after = text.slice(to)
  // "items": [ … ] without its braces.
  if (/["'”][^\S\n]{0,20}:\s{0,20}$/.test(before.slice(-60))) throw new Unreadable('text-continues', from)
  const rest = after.trimStart()
  const strays = /^[\s\]};]{1,40}(?=$|`)/.exec(after.trimEnd())
  const notes: Note[] = []
  if (strays !== null && /[\]};]/.test(strays[0])) notes.push({ step: 'stray-closer', at: to })
  else {
    const [line = ''] = after.split('\n', 1)
    // A value that ended too early leaves the rest of itself behind.
    if (/^[,:]/.test(rest) || /["{}[\]]/.test(line)) throw new Unreadable('text-continues', to)
  }
  if (isFence(before) || isFence(after)) notes.push({ step: 'fence-stripped', at: Math.max(0, before.lastIndexOf('```')) })
  const prose = /[\p{L}\p{N}]/u
  if (prose.test(withoutFences(before))) notes.push({ step: 'prose-stripped', at: 0 })
  if (prose.test(withoutFences(after))) notes.push({ step: 'prose-stripped', at: to })
  return notes
}

/** Whether nothing but blanks, a comma and fences stands between two values. */
export function isBareBetween (between: string): boolean {
  return /^[\s,;]*$/.test(withoutFences(between))
}

function isFence (text: string): boolean {
  return text.includes('```')
}

function withoutFences (text: string): string {
  return text.replace(/```[\w-]{0,20}/g, '')
}

/** A text without blanks, byte order mark and one fence around it. */
export function bared (text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```')) return trimmed
  const line = trimmed.indexOf('\n')
  const inner = line < 0 ? trimmed.replace(/^```[\w-]{0,20}/, '') : trimmed.slice(line + 1)
  return (inner.endsWith('```') ? inner.slice(0, -3) : inner).trim()
}
