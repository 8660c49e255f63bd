/** A draft whose images have been looked for, as what is kept of its row. */
import type { ImportOptions, ImportRow, BankFormat, RowNote } from '../../../../shared/contracts/bank.ts'
import { idOf } from '../../../../shared/contracts/hash.ts'
import { withoutModel, type Item } from '../../../../shared/contracts/item.ts'
import { guessLanguage } from '../../../../shared/text/language.ts'
import type { RawRow } from './bank.ts'
import type { Draft } from './draft.ts'
import { limits } from './limits.ts'
import { stateOf } from './notes.ts'

export const importVersion = '1'

export interface ImportOf {
  importId: string
  format: BankFormat
  options: ImportOptions
}

/** Ids of the images, in the order of `draft.images` and of the options that have one. */
export interface Found { question: string[], choices: Array<string | undefined>, notes: RowNote[] }

export interface Finished { row: ImportRow, item?: Item }

export function finishRow (
  raw: RawRow, draft: Draft, { found, of }: { found: Found, of: ImportOf }
): Finished {
  const notes = [...raw.notes, ...draft.notes, ...found.notes].slice(0, limits.notes)
  // A row may have so many notes that the one which rejects it is cut off; it still does.
  const state = stateOf([...raw.notes, ...draft.notes, ...found.notes])
  const sourceId = draft.sourceId ?? raw.key ?? null
  if (state === 'rejected') return { row: rejectedRow(raw, sourceId, notes) }
  const item = itemOf(raw.row, draft, { found, of, sourceId })
  return { row: { row: raw.row, sourceId, state, itemId: item.id, notes, raw: null }, item }
}

export function rejectedRow (raw: RawRow, sourceId: string | null, notes: RowNote[]): ImportRow {
  return { row: raw.row, sourceId, state: 'rejected', itemId: null, notes, raw: shown(raw.value) }
}

interface Making { found: Found, of: ImportOf, sourceId: string | null }

function itemOf (row: number, draft: Draft, { found, of, sourceId }: Making): Item {
  const { importId, format, options } = of
  const { question, choices, kind, rationale, explicitWording, originalQuestion } = draft
  const images = found.question.map((imageId, at) => {
    const { time, caption } = draft.images[at]!
    return { imageId, ...time !== undefined && { time }, ...caption !== undefined && { caption } }
  })
  return {
    id: idOf('item', { importId, row }),
    kind,
    source: { bankId: importId, row },
    place: `row-${row}`,
    figureIds: [],
    ...images.length > 0 && { images },
    question,
    ...draft.answer !== undefined && { answer: draft.answer },
    ...explicitWording !== undefined && { explicitWording },
    ...kind === 'binary' && { choices: [{ text: 'Yes' }, { text: 'No' }] },
    ...choices.length > 0 && {
      choices: choices.map(({ text }, at) => {
        const imageId = found.choices[at]
        return { text, ...imageId !== undefined && { imageId } }
      })
    },
    ...draft.answerIndex !== undefined && { answerIndex: draft.answerIndex },
    evidence: [],
    ...originalQuestion !== undefined && { originalQuestion },
    ...rationale !== undefined && { rationale },
    language: options.language ?? languageOf([question, ...choices.map(({ text }) => text)].join('\n')),
    slices: draft.slices,
    checks: [],
    provenance: {
      strategy: 'import',
      strategyVersion: importVersion,
      seed: 0,
      rule: format,
      arguments: { sourceId, licence: options.licence ?? null, release: options.release ?? 'unknown' },
      ...withoutModel
    }
  }
}

/** A question may be too short for the words that tell a language; some letters tell it alone. */
function languageOf (text: string): string {
  const guess = guessLanguage(text)
  if (guess !== 'und') return guess
  return /[\uAC00-\uD7AF]/.test(text) ? 'ko' : /[\u3040-\u30FF]/.test(text) ? 'ja' : 'und'
}

/** Bytes by their number, for what is shown is read by people. */
function shown (value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string'
    ? value
    : JSON.stringify(value, (_, each: unknown) => each instanceof Uint8Array ? `${each.byteLength} bytes` : each)
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').slice(0, limits.rawChars).replace(/\p{Surrogate}/gu, '')
}
