/**
 * What calls have used, summed by model, caller, group and purpose. Tokens are those an upstream said it
 * spent: a reply from the record or of a call that was under way already spends none, and what it would
 * have spent is summed apart. Where an upstream does not say, the call is counted and nothing is guessed.
 */
import type { CallRecord } from './call.ts'

export interface UsageKey { model: string, caller: string, group: string, purpose: string }
export interface UsageRow { key: UsageKey, sums: UsageSums }

const countNames = [
  'requests', 'answered', 'refused', 'failed', 'cancelled', 'replayed', 'coalesced', 'retries',
  /** Asked of an upstream that did not say what it spent; of calls that spend tokens at all. */
  'withoutUsage',
  'promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens',
  /** Calls that each of the four sums is made of. */
  'promptCalls', 'completionCalls', 'cachedCalls', 'reasoningCalls',
  'savedPromptTokens', 'savedCompletionTokens',
  'queueMs', 'firstByteMs', 'firstByteCalls', 'totalMs'
] as const
type CountName = (typeof countNames)[number]

/** Counts and sums from 0; milliseconds are sums over calls. */
export type UsageSums = Record<CountName, number>

/** Of calls whose labels or model are not kept apart; no label holds this character. */
export const foldedLabel = '…'

export function noSums (): UsageSums {
  return Object.fromEntries(countNames.map(name => [name, 0])) as UsageSums
}

/** Names of models that no upstream has are the caller's invention, and as many as the caller likes. */
export function usageKeyOf ({ model, labels, problem }: CallRecord): UsageKey {
  const invented = problem === 'model-not-found' || model.includes('\0')
  return { model: invented ? foldedLabel : model, ...labels }
}

/** Adds one ended call, in place. */
export function addCall (sums: UsageSums, record: CallRecord): void {
  const { usage, source, outcome, attempts } = record
  sums.requests++
  sums[outcome]++
  sums.retries += Math.max(0, attempts - 1)
  sums.queueMs += record.queueMs
  sums.totalMs += record.totalMs
  if (record.firstByteMs !== null) { sums.firstByteMs += record.firstByteMs; sums.firstByteCalls++ }
  if (source === 'upstream') { addTokens(sums, record); return }
  if (source === 'record') sums.replayed++
  else sums.coalesced++
  sums.savedPromptTokens += usage.promptTokens ?? 0
  sums.savedCompletionTokens += usage.completionTokens ?? 0
}

function addTokens (sums: UsageSums, { usage, attempts, path }: CallRecord): void {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  if (promptTokens !== null) { sums.promptTokens += promptTokens; sums.promptCalls++ }
  if (completionTokens !== null) { sums.completionTokens += completionTokens; sums.completionCalls++ }
  if (cachedTokens !== null) { sums.cachedTokens += cachedTokens; sums.cachedCalls++ }
  if (reasoningTokens !== null) { sums.reasoningTokens += reasoningTokens; sums.reasoningCalls++ }
  const spends = path !== '/v1/tokenize' && path !== '/v1/detokenize'
  if (spends && attempts > 0 && promptTokens === null && completionTokens === null) sums.withoutUsage++
}

/** Adds what another row has summed, in place. A count that row has not is 0: it is of an older version. */
function addSums (sums: UsageSums, other: Partial<UsageSums>): void {
  for (const name of countNames) sums[name] += other[name] ?? 0
}

export interface UsageFigures {
  requests: number
  outcomes: { answered: number, refused: number, failed: number, cancelled: number }
  replayed: number
  coalesced: number
  retries: number
  requestsWithoutUsage: number
  /** Null where no upstream said any. */
  promptTokens: number | null
  completionTokens: number | null
  cachedTokens: number | null
  reasoningTokens: number | null
  savedPromptTokens: number
  savedCompletionTokens: number
  latency: { queueMs: number, firstByteMs: number | null, firstByteRequests: number, totalMs: number }
}

/** As it is shown: nothing said is null, which is not 0; times to a microsecond. */
export function figuresOf (sums: UsageSums): UsageFigures {
  const { requests, answered, refused, failed, cancelled, replayed, coalesced, retries } = sums
  const said = (tokens: number, calls: number): number | null => calls === 0 ? null : tokens
  return {
    requests,
    outcomes: { answered, refused, failed, cancelled },
    replayed,
    coalesced,
    retries,
    requestsWithoutUsage: sums.withoutUsage,
    promptTokens: said(sums.promptTokens, sums.promptCalls),
    completionTokens: said(sums.completionTokens, sums.completionCalls),
    cachedTokens: said(sums.cachedTokens, sums.cachedCalls),
    reasoningTokens: said(sums.reasoningTokens, sums.reasoningCalls),
    savedPromptTokens: sums.savedPromptTokens,
    savedCompletionTokens: sums.savedCompletionTokens,
    latency: {
      queueMs: rounded(sums.queueMs),
      firstByteMs: said(rounded(sums.firstByteMs), sums.firstByteCalls),
      firstByteRequests: sums.firstByteCalls,
      totalMs: rounded(sums.totalMs)
    }
  }
}

function rounded (ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** Adds a row of some process to those of its key, in place. */
export function addRow (rows: Map<string, UsageRow>, { key, sums }: UsageRow): void {
  const name = keyText(key)
  let row = rows.get(name)
  if (row === undefined) rows.set(name, row = { key, sums: noSums() })
  addSums(row.sums, sums)
}

/** By model, caller, group and purpose, in the order of UTF-16 units. */
export function inOrder (rows: ReadonlyMap<string, UsageRow>): UsageRow[] {
  return [...rows].sort(([a], [b]) => a < b ? -1 : 1).map(([, row]) => row)
}

export function totalOf (rows: Iterable<UsageRow>): UsageSums {
  const total = noSums()
  for (const { sums } of rows) addSums(total, sums)
  return total
}

/** No part holds a NUL: labels are printable, and such a model is nobody's. */
export function keyText ({ model, caller, group, purpose }: UsageKey): string {
  return `${model}\0${caller}\0${group}\0${purpose}`
}
