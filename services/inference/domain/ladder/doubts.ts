/** Texts of a value that are as the model wrote them and look damaged; and one damage that is certain. */
import { isUnmistakable } from './latex-commands.ts'
import type { StepName } from './notes.ts'

/** The value with texts escaped once too often put right, and the steps that tell of it. */
export function lookedOver (value: unknown): { value: unknown, steps: Set<StepName> } {
  const found = new Set<StepName>()
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return textOf(part, found)
    if (Array.isArray(part)) return part.map(walk)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, walk(member)]))
  }
  return { value: walk(value), steps: found }
}

function textOf (text: string, found: Set<StepName>): string {
  if (text.includes('\ufffd')) found.add('replacement-character')
  if (/&(?:quot|amp|lt|gt|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,5});/.test(text)) found.add('html-entities')
  if (!text.includes('\\')) return text
  let doubled = false
  let single = false
  for (const [, marks = '', run = ''] of text.matchAll(/(\\+)([A-Za-z]{0,40})/g)) {
    if (marks.length % 2 === 1) {
      single = true
      if (run.startsWith('n') && /^n(?:[A-Z]|$)/.test(run)) found.add('literal-newline')
    } else if (isUnmistakable(run)) doubled = true
  }
  if (!doubled) return text
  // With single ones beside them, two backslashes may be an end of line.
  if (single) { found.add('doubled-backslash'); return text }
  found.add('over-escaped')
  return text.replaceAll('\\\\', '\\')
}
