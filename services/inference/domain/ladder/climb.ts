/**
 * The reply ladder: from what a model wrote to a value that matches the schema, or to the reason why
 * there is none. Every rung that did something is noted. No text is altered where another reading is
 * left, nothing is coerced, filled in or removed.
 */
import type { FieldError } from '../../../../shared/errors/problem.ts'
import type { Stretch } from '../../../../shared/answers/reasoning.ts'
import { isRefusal } from '../../../../shared/answers/refusal.ts'
import type { ReplySchema } from '../reply-schema.ts'
import { valuesIn, type Candidate, type CutValue, type Found } from './candidates.ts'
import { chosen } from './choose.ts'
import { closed, completeElements, type Dropped } from './cut.ts'
import { lookedOver } from './doubts.ts'
import { decoded } from './encodings.ts'
import { Cut, Unreadable, type FaultName, type Note } from './notes.ts'
import { readValue, scanOf } from './reader.ts'
import { answerStretches, beginsInside } from './reasoning.ts'
import { bared } from './surroundings.ts'

export const replyCharsMax = 1024 * 1024
/** JSON in JSON in JSON is the most. */
const coatsMax = 2

export interface Reply {
  text: string
  /** Whether the upstream, or a stop rule of ours, cut the reply. */
  cut: boolean
  schema: ReplySchema
}

export interface Climbed {
  outcome: 'answered' | 'unparsable' | 'truncated' | 'refused'
  /** Absent when there is none; null is a value. */
  value?: unknown
  fault: FaultName | null
  /** Offset of the fault in the reply, where it has one. */
  at: number | null
  /** Where the value does not match the schema. */
  errors: FieldError[]
  dropped: Dropped | null
  notes: Note[]
}

export function climb ({ text, cut, schema }: Reply): Climbed {
  const notes: Note[] = []
  const tooLong = text.length > replyCharsMax
  const result = tooLong ? failed('too-large', replyCharsMax) : rungs({ text, cut, schema }, notes)
  const looked = 'value' in result ? lookedOver(result.value) : null
  if (looked !== null) {
    result.value = looked.value
    for (const step of looked.steps) notes.push({ step, at: null })
  }
  // What a model said before it was cut is no answer, whole as it may look: it may have gone on.
  const outcome = cut && result.outcome !== 'refused' ? 'truncated' : result.outcome
  return { ...result, outcome, notes: [...notes, ...result.notes] }
}

function failed (fault: FaultName, at: number | null, errors: FieldError[] = []): Climbed {
  return { outcome: 'unparsable', fault, at, errors, dropped: null, notes: [] }
}

function taken (value: unknown, cut: boolean, notes: Note[]): Climbed {
  return { outcome: cut ? 'truncated' : 'answered', value, fault: null, at: null, errors: [], dropped: null, notes }
}

/** @param coats JSON texts and HTML taken off so far; under them there are no places in the reply */
function rungs (given: Reply, notes: Note[], coats = 0): Climbed {
  // Blanks at the end are no part of anything.
  const reply = { ...given, text: given.text.trimEnd() }
  const { text, schema } = reply
  if (text.trim() === '') return failed('empty', null)
  try {
    const coat = coats < coatsMax ? decoded(bared(text), schema.root.has('text')) : null
    if (coat === null) return parted(reply, notes)
    notes.push({ step: coat.step, at: 0 })
    const under: Note[] = []
    const result = nowhere(() => rungs({ ...reply, text: coat.text }, under, coats + 1))
    notes.push(...under.map(({ step }) => ({ step, at: null })))
    return result
  } catch (cause) {
    if (cause instanceof Unreadable) return failed(cause.fault, cause.at)
    throw cause
  }
}

/** What is known once a reply could be read; another reading is tried only of what cannot be read. */
const sure: ReadonlySet<FaultName> = new Set([
  'several-values', 'schema', 'schema-echo', 'duplicate-key', 'forbidden-key'
])
const draftsMax = 3

/** Takes marks of reasoning inside texts for words, and where that leads nowhere for the ends of drafts. */
function parted (reply: Reply, notes: Note[]): Climbed {
  const { text, schema } = reply
  let first: { result: Climbed, notes: Note[] } | undefined
  let last: string | undefined
  for (let drafts = 0; drafts <= draftsMax; drafts++) {
    const stretches = answerStretches(text, schema, drafts)
    if (JSON.stringify(stretches) === last) break
    last = JSON.stringify(stretches)
    const tried: Note[] = []
    const result = stretched(reply, stretches, tried)
    first ??= { result, notes: tried }
    if (result.fault !== null && !sure.has(result.fault) && result.outcome !== 'refused') continue
    notes.push(...tried)
    return result
  }
  notes.push(...first!.notes)
  return first!.result
}

function stretched (reply: Reply, stretches: readonly Stretch[] | null, notes: Note[]): Climbed {
  const { text, schema } = reply
  if (stretches === null) return failed('reasoning-without-end', null)
  const kept = stretches.filter(([from, to]) => text.slice(from, to).trim() !== '')
  const [only] = kept
  if (kept.some(([from]) => from > 0 && beginsInside(text, from))) return failed('text-continues', kept[0]![0])
  if (only === undefined) return failed('empty', null)
  if (only[0] > 0 || kept.at(-1)![1] < text.length) notes.push({ step: 'reasoning-stripped', at: 0 })
  try {
    // A value never reaches over what was left out.
    if (kept.length === 1) return located(read({ ...reply, text: text.slice(...only) }, notes), only[0])
    const found = kept.map(([from, to]) => moved(valuesIn(text.slice(from, to), schema), from))
    return judged(reply, merged(found))
  } catch (cause) {
    if (cause instanceof Unreadable) return failed(cause.fault, cause.at + (kept.length === 1 ? only[0] : 0))
    throw cause
  }
}

function read (reply: Reply, notes: Note[]): Climbed {
  const { text, schema } = reply
  if (!schema.root.has('object') && !schema.root.has('list')) return readScalar(reply, bared(text), notes)
  return judged(reply, valuesIn(text, schema))
}

function nowhere (under: () => Climbed): Climbed {
  try {
    const result = under()
    return { ...result, at: null, notes: result.notes.map(({ step }) => ({ step, at: null })) }
  } catch (cause) {
    if (cause instanceof Unreadable) return failed(cause.fault, null)
    throw cause
  }
}

/** A result whose places count from the beginning of the reply. */
function located (result: Climbed, by: number): Climbed {
  return {
    ...result,
    at: result.at === null ? null : result.at + by,
    notes: result.notes.map(({ step, at }) => ({ step, at: at === null ? null : at + by }))
  }
}

/** Numbers, texts and truth values are taken only alone: in prose there are too many of them. */
function readScalar ({ text, schema, cut }: Reply, bare: string, notes: Note[]): Climbed {
  const scan = scanOf(bare, schema.keys)
  let value: unknown
  try { value = readValue(scan, 'root') } catch (cause) {
    if (!(cause instanceof Cut)) throw cause
    return { ...failed('syntax', null), outcome: 'truncated', fault: null, notes: scan.notes }
  }
  if (scan.at < bare.length) throw new Unreadable('text-continues', text.indexOf(bare) + scan.at)
  notes.push(...scan.notes)
  if (bare !== text.trim()) notes.push({ step: 'fence-stripped', at: 0 })
  const errors = schema.check(value)
  if (errors.length > 0) return failed('schema', null, errors)
  return taken(value, cut, [])
}

function judged (reply: Reply, found: Found): Climbed {
  const { text, schema, cut } = reply
  if (found.fault !== null) return failed(found.fault.fault, found.fault.at)
  if (found.cut !== null) return salvaged(reply, found, found.cut)
  const choice = chosen(text, found.values, schema)
  if ('fault' in choice) {
    const { fault, at, errors } = choice
    const refused = fault === 'no-json' && isRefusal(bared(text))
    return refused ? { ...failed(fault, at), outcome: 'refused' } : failed(fault, at, errors)
  }
  return taken(choice.value, cut, choice.notes)
}

function salvaged ({ text, schema, cut }: Reply, { values }: Found, end: CutValue): Climbed {
  const whole = cut || values.length > 0 ? null : closed(end)
  if (whole !== null) {
    const errors = schema.check(whole.value)
    if (errors.length > 0) return { ...failed('schema', end.from, errors), outcome: 'truncated' }
    const note: Note = { step: 'closed', at: text.length }
    return taken(whole.value, false, [...end.notes, note])
  }
  const truncated = { ...failed('syntax', null), outcome: 'truncated' as const, fault: null, notes: end.notes }
  const left = values.length > 0 ? listed(values, schema) : completeElements(end)
  if (left === null) return truncated
  const errors = schema.check(left.value)
  if (errors.length > 0) return { ...truncated, errors }
  const dropped: Note = { step: 'dropped-incomplete', at: end.from }
  return { ...truncated, value: left.value, dropped: left.dropped, notes: [...end.notes, dropped] }
}

/** Objects one after another of which the last is cut, where a list was asked for. */
function listed (values: readonly Candidate[], { root }: ReplySchema) {
  if (!root.has('list') || values.some(({ value }) => Array.isArray(value))) return null
  return { value: values.map(({ value }) => value), dropped: { pointer: `/${values.length}`, kept: values.length } }
}

function moved ({ values, fault, cut }: Found, by: number): Found {
  const shift = (notes: Note[]) => notes.map(({ step, at }) => ({ step, at: (at ?? 0) + by }))
  return {
    values: values.map(each =>
      ({ ...each, from: each.from + by, to: each.to + by, notes: shift(each.notes) })),
    fault: fault === null ? null : new Unreadable(fault.fault, fault.at + by),
    cut: cut === null ? null : { ...cut, from: cut.from + by, notes: shift(cut.notes) }
  }
}

function merged (found: readonly Found[]): Found {
  return {
    values: found.flatMap(({ values }) => values),
    fault: found.find(({ fault }) => fault !== null)?.fault ?? null,
    cut: found.at(-1)?.cut ?? null
  }
}
