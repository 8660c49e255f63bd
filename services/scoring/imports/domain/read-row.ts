/** One row of a log: taken, with their verdict beside ours, or rejected with a reason. */
import { readReply } from '../../../../shared/answers/outcome.ts'
import type { ImportedItem, LogFormat, RejectedRow } from '../../../../shared/contracts/run-import.ts'
import { judgeRow } from './kmetbench.ts'
import { limits } from './limits.ts'
import { letterAt, optionsOf, placeOf, type Fault, type Options } from './options.ts'
import { member } from '../../../../shared/text/member.ts'
import type { Fields, RawRow } from './raw-row.ts'

export interface ReadOptions {
  format: LogFormat
  choiceCount?: number | undefined
  goldBase?: number | undefined
}

const replyShown = 1_000
const quoteShown = 200

type Ours = ImportedItem['ours']

export function readRow (raw: RawRow, fields: Fields, options: ReadOptions): ImportedItem | RejectedRow {
  const id = idOf(fields.id)
  const refused = ({ reason, detail }: Fault): RejectedRow => ({ row: raw.row, id, reason, detail })
  if (id === null) return refused({ reason: 'no-id', detail: `The row has no id of 1 to ${limits.idChars} characters.` })
  const base = { row: raw.row, id, cluster: idOf(fields.cluster) ?? id }
  if (options.format === 'kmetbench-judge') return ofJudge(base, raw.value)
  const asked = optionsOf(fields, options.choiceCount)
  if ('reason' in asked) return refused(asked)
  const numbers = options.goldBase ?? fields.goldBase
  const gold = placeOf(fields.gold, asked, numbers)
  if (gold === undefined) return refused(unknownGold(fields.gold))
  if (typeof gold !== 'number') return refused(gold)
  const given = givenOf(fields)
  if ('reason' in given) return refused(given)
  const ours = oursOf(given, asked, gold)
  return itemOf({ ...base, gold: letterAt(asked, gold) }, ours, {
    theirs: { value: verdictOf(fields.verdict), label: labelText(fields.label) },
    reply: 'reply' in given ? given.reply : null,
    contradicted: contradicts(placeOf(fields.label, asked, numbers), ours, asked)
  })
}

function idOf (id: unknown): string | null {
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : ''
  return text.trim() === '' || text.length > limits.idChars ? null : text
}

function unknownGold (gold: unknown): Fault {
  const number = /^\d{1,2}$/.test(String(gold).trim())
  return number
    ? { reason: 'ambiguous-gold', detail: `The gold is ${String(gold)}, or out of range; say with goldBase whether it counts from 0 or 1.` }
    : { reason: 'no-gold', detail: 'The gold is no letter, text or number of an option. Open answers are for POST /v1/metrics/rouge.' }
}

type Given =
  | { reply: string, finishReason: string | null }
  | { likelihoods: number[] }
  | { error: string }

function givenOf ({ reply, finishReason, error, likelihoods }: Fields): Given | Fault {
  if (likelihoods !== undefined) {
    const numbers = likelihoods.map(Number)
    if (numbers.some(Number.isNaN)) return { reason: 'no-reply', detail: 'A log-likelihood is no number.' }
    return { likelihoods: numbers }
  }
  if (error !== undefined && error !== null && error !== '') {
    const said = typeof error === 'string' ? error : member(error, 'message')
    return { error: typeof said === 'string' ? said.slice(0, replyShown) : 'The log says that it failed.' }
  }
  if (typeof reply !== 'string') return { reason: 'no-reply', detail: 'The row has no reply as text.' }
  if (reply.length > limits.replyChars) return { reason: 'reply-too-long', detail: `The reply is longer than ${limits.replyChars} characters.` }
  return { reply, finishReason: typeof finishReason === 'string' ? finishReason : null }
}

function oursOf (given: Given, asked: Options, gold: number): Ours {
  const none = { label: null, rule: null, span: null }
  if ('error' in given) return { ...none, value: null, outcome: 'error', reason: given.error }
  if ('likelihoods' in given) return likeliest(given.likelihoods, asked, gold)
  const { question } = asked
  const { outcome, lenient } = readReply({ ...given, kind: question.kind }, question)
  const { label, index, rule, span, reason } = lenient!
  const worth = outcome === 'answered' && index === gold ? 1 : 0
  return { value: worth, outcome, label, rule, span, ...reason !== undefined && { reason } }
}

/** The likeliest option; where two are as likely none is read out. */
function likeliest (likelihoods: readonly number[], asked: Options, gold: number): Ours {
  const most = Math.max(...likelihoods)
  const places = [...likelihoods.keys()].filter(at => likelihoods[at] === most)
  const none = { label: null, rule: null, span: null }
  if (places.length !== 1) return { ...none, value: 0, outcome: 'unparsable', reason: 'tied-likelihoods' }
  const at = asked.order.indexOf(places[0]!)
  return { ...none, value: at === gold ? 1 : 0, outcome: 'answered', label: letterAt(asked, at), rule: 'largest-log-likelihood' }
}

/** Both readings name an option, and not the same one. */
function contradicts (theirs: number | undefined | Fault, { label, outcome }: Ours, asked: Options): boolean {
  return typeof theirs === 'number' && outcome === 'answered' && label !== letterAt(asked, theirs)
}

/** 0 to 1; null where the log does not say. @see inspect-ai's values C, I, P (half), N (no answer) */
function verdictOf (verdict: unknown): number | null {
  if (typeof verdict === 'boolean') return Number(verdict)
  if (typeof verdict === 'number') return verdict >= 0 && verdict <= 1 ? verdict : null
  const word = typeof verdict === 'string' ? verdict.trim().toLowerCase() : ''
  if (/^(?:0|1)(?:\.\d{1,17})?$/.test(word)) return Number(word) <= 1 ? Number(word) : null
  return words.get(word) ?? null
}

const words = new Map([['c', 1], ['correct', 1], ['true', 1], ['i', 0], ['incorrect', 0], ['false', 0], ['n', 0], ['p', 0.5]])

/** What stands for "nothing read" in the logs we know. */
const nothingRead = new Set(['', '-1', '[invalid]'])

function labelText (label: unknown): string | null {
  const text = typeof label === 'string' || typeof label === 'number' ? String(label) : ''
  return nothingRead.has(text.trim()) ? null : text.slice(0, quoteShown)
}

function ofJudge (base: Pick<ImportedItem, 'row' | 'id' | 'cluster'>, value: unknown): ImportedItem {
  const { theirs, ours, outcome, reason } = judgeRow(value)
  const none = { label: null, rule: null, span: null }
  const read: Ours = { ...none, value: ours, outcome, ...reason !== undefined && { reason } }
  const beside = { theirs: { value: theirs, label: null }, reply: null, contradicted: false }
  const item = itemOf({ ...base, gold: '' }, read, beside)
  return { ...item, changed: theirs !== ours }
}

interface Beside { theirs: ImportedItem['theirs'], reply: string | null, contradicted: boolean }

function itemOf (
  base: Pick<ImportedItem, 'row' | 'id' | 'cluster' | 'gold'>, ours: Ours, { theirs, reply, contradicted }: Beside
): ImportedItem {
  const characters = reply === null ? [] : Array.from(reply)
  const [from, to] = ours.span ?? [0, 0]
  return {
    ...base,
    theirs,
    ours,
    changed: theirs.value !== null && ours.value !== null && theirs.value !== ours.value,
    undecided: ours.outcome !== 'answered' || contradicted,
    quote: ours.span === null ? null : characters.slice(from, Math.min(to!, from! + quoteShown)).join(''),
    reply: reply === null ? null : characters.slice(0, replyShown).join(''),
    replyCut: characters.length > replyShown
  }
}
