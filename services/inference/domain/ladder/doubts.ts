/** Texts of a value that are as the model wrote them and look damaged; and one damage that is certain. */
import { isUnmistakable } from './latex-commands.ts'
import type { StepName } from './notes.ts'

interface Seen { steps: Set<StepName>, doubled: boolean, single: boolean }

/** The value, its texts put right if all were escaped once too often, and the steps that tell of it. */
export function lookedOver (value: unknown): { value: unknown, steps: ReadonlySet<StepName> } {
  const seen: Seen = { steps: new Set(), doubled: false, single: false }
  mapTexts(value, text => { look(text, seen); return text })
  const { steps, doubled, single } = seen
  if (!doubled) return { value, steps }
  // With single ones beside them, two backslashes may be an end of row.
  steps.add(single ? 'doubled-backslash' : 'over-escaped')
  return { value: single ? value : mapTexts(value, text => text.replaceAll('\\\\', '\\')), steps }
}

function mapTexts (value: unknown, of: (text: string) => string): unknown {
  if (typeof value === 'string') return of(value)
  if (Array.isArray(value)) return value.map(part => mapTexts(part, of))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, of)]))
}

function look (text: string, seen: Seen): void {
  if (text.includes('\ufffd')) seen.steps.add('replacement-character')
  if (/&(?:quot|amp|lt|gt|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,5});/.test(text)) seen.steps.add('html-entities')
  for (const [, marks = '', run = ''] of text.matchAll(/(\\+)([A-Za-z]{0,40})/g)) {
    if (marks.length % 2 === 1) {
      seen.single = true
      if (/^n(?:[A-Z]|$)/.test(run)) seen.steps.add('literal-newline')
    } else if (isUnmistakable(run)) seen.doubled = true
  }
}
