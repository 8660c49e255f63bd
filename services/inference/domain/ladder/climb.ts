/**
 * The reply ladder: from what a model wrote to a value that matches the schema, or to the reason why
 * there is none. Every rung that did something is noted. No text is altered where another reading is
 * left, nothing is coerced, filled in or removed.
 */
import type { FieldError } from '../../../../shared/errors/problem.ts'
import { isRefusal } from '../../../../shared/answers/refusal.ts'
import type { ReplySchema } from '../reply-schema.ts'
import { valuesIn, type Candidate, type CutValue, type Found } from './candidates.ts'
import { chosen } from './choose.ts'
import { closed, completeElements, type Dropped } from './cut.ts'
import { lookedOver } from './doubts.ts'
import { decoded } from './encodings.ts'
import { Unreadable, type FaultName, type Note } from './notes.ts'
import { readValue, scanOf } from './reader.ts'
import { answerStretches } from './reasoning.ts'
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
  const result = text.length > replyCharsMax ? failed('too-large', replyCharsMax) : rungs({ text, cut, schema }, notes)
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

function rungs (reply: Reply, notes: Note[]): Climbed {
  const { text, schema } = reply
  if (text.trim() === '') return failed('empty', null)
  try {
    const stretches = answerStretches(text, schema.keys)
    if (stretches === null) return failed('reasoning-without-end', null)
    const kept = stretches.filter(([from, to]) => text.slice(from, to).trim() !== '')
    if (kept.length === 0) return failed('empty', null)
    if (kept[0]![0] > 0 || kept.at(-1)![1] < text.length) notes.push({ step: 'reasoning-stripped', at: 0 })
    // A value never reaches over what was left out.
    const [only] = kept
    if (kept.length === 1) return located(read({ ...reply, text: text.slice(...only!) }, 0, notes), only![0])
    const found = kept.map(([from, to]) => moved(valuesIn(text.slice(from, to), sought(schema)), from))
    return judged(reply, merged(found))
  } catch (cause) {
    if (cause instanceof Unreadable) return failed(cause.fault, cause.at)
    throw cause
  }
}

/** @param coats JSON texts and HTML taken off so far; under them there are no places in the reply */
function read (reply: Reply, coats: number, notes: Note[]): Climbed {
  const { text, schema } = reply
  const bare = bared(text)
  const coat = coats < coatsMax ? decoded(bare, schema.root.has('text')) : null
  if (coat !== null) {
    notes.push({ step: coat.step, at: 0 })
    const under: Note[] = []
    const result = nowhere(() => read({ ...reply, text: coat.text }, coats + 1, under))
    notes.push(...under.map(({ step }) => ({ step, at: null })))
    return result
  }
  if (!schema.root.has('object') && !schema.root.has('list')) return readScalar(reply, bare, notes)
  return judged(reply, valuesIn(text, sought(schema)))
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

function sought ({ keys, root }: ReplySchema) {
  return { keys, list: root.has('list') }
}

/** Numbers, texts and truth values are taken only alone: in prose there are too many of them. */
function readScalar ({ text, schema, cut }: Reply, bare: string, notes: Note[]): Climbed {
  const scan = scanOf(bare, schema.keys)
  const value = readValue(scan, 'root')
  if (scan.at < bare.length) throw new Unreadable('text-continues', text.indexOf(bare) + scan.at)
  notes.push(...scan.notes)
  if (bare !== text.trim()) notes.push({ step: 'fence-stripped', at: 0 })
  const errors = schema.check(value)
  if (errors.length > 0) return failed('schema', null, errors)
  return { outcome: cut ? 'truncated' : 'answered', value, fault: null, at: null, errors, dropped: null, notes: [] }
}

function judged (reply: Reply, found: Found): Climbed {
  const { text, schema, cut } = reply
  if (found.fault !== null) return failed(found.fault.fault, found.fault.at)
  if (found.cut !== null) return salvaged(reply, found, found.cut)
  if (found.values.length === 0) {
    const refused = isRefusal(bared(text))
    return refused ? { ...failed('no-json', null), outcome: 'refused' } : failed('no-json', null)
  }
  const choice = chosen(text, found.values, schema)
  if ('fault' in choice) return failed(choice.fault, choice.at, choice.errors)
  return { outcome: cut ? 'truncated' : 'answered', value: choice.value, fault: null, at: null, errors: [], dropped: null, notes: choice.notes }
}

function salvaged ({ text, schema, cut }: Reply, { values }: Found, end: CutValue): Climbed {
  const whole = cut || values.length > 0 ? null : closed(end)
  if (whole !== null) {
    const errors = schema.check(whole.value)
    if (errors.length > 0) return { ...failed('schema', end.from, errors), outcome: 'truncated' }
    const note: Note = { step: 'closed', at: text.length }
    return { outcome: 'answered', value: whole.value, fault: null, at: null, errors, dropped: null, notes: [...end.notes, note] }
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
    values: values.map(({ from, to, value, notes }) => ({ from: from + by, to: to + by, value, notes: shift(notes) })),
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
