/**
 * The drafts of one place, as they come in: what was accepted, what was turned down and why, what to
 * ask next. Each reply makes a new state; nothing here asks anyone. Plain data, so that it can be
 * handed to a thread and back.
 */
import type { Provenance, Rejection } from '../../../../shared/contracts/item.ts'
import { fitted, usualBytesPerToken } from '../../../../shared/text/content-budget.ts'
import type { Place } from '../plan.ts'
import { earlierTokensMax } from './room.ts'
import { isFault, type Ask, type Fault, type ItemDraft, type Material, type Writer } from './writer.ts'

/** Where items are made, and by whom. */
export interface Site { place: Place, writer: Writer, material: Material }

/** How an item came to be asked for: what the call says of itself. */
export type Call = Omit<Provenance, 'strategy' | 'strategyVersion' | 'rule' | 'leftOut'>

/** `ask` is its number. */
export interface Accepted { draft: ItemDraft[], call: Call, ask: number }

export interface Tally {
  wanted: number
  made: number
  calls: number
  promptTokens: number
  completionTokens: number
  /** Calls whose tokens nobody counted. */
  callsWithoutUsage: number
}

export interface Drafting {
  asks: readonly Ask[]
  accepted: readonly Accepted[]
  rejections: readonly Rejection[]
  tally: Tally
  /** Number of the ask under way; of it: the sample to put, what it has so far, what to tell back. */
  at: number
  sampleIndex: number
  madeOfAsk: number
  faults: readonly Fault[]
}

/** What a model replied to one sample of an ask. */
export interface Reply {
  outcome: 'answered' | 'unparsable' | 'refused' | 'truncated'
  /** `{items}` where the reply holds it. */
  value: { items: readonly unknown[] } | null
  reason: { code: string, detail: string } | null
  usage: { promptTokens: number | null, completionTokens: number | null }
  call: Call
}

/** Before the first reply; without asks where nothing can be written here, which is a rejection. */
export function draftingOf (site: Site, found: readonly Ask[] | Fault): Drafting {
  const asks = isFault(found) ? [] : found
  const wanted = asks.reduce((sum, { count, interim }) => sum + (interim === true ? 0 : count), 0)
  const drafting: Drafting = {
    asks,
    accepted: [],
    rejections: [],
    tally: { wanted, made: 0, calls: 0, promptTokens: 0, completionTokens: 0, callsWithoutUsage: 0 },
    at: 0,
    sampleIndex: 0,
    madeOfAsk: 0,
    faults: []
  }
  return isFault(found) ? withRejection(drafting, site, found) : drafting
}

/** Drafts of the reply in their order until the count is reached; each turned down is a rejection. */
export function withReply (drafting: Drafting, site: Site, reply: Reply): Drafting {
  const ask = drafting.asks[drafting.at]
  if (ask === undefined) throw new RangeError('Expected an ask under way')
  let next = counted(drafting, reply)
  if (reply.outcome !== 'answered') {
    const { reason } = reply
    const detail = reason === null ? `The reply was ${reply.outcome}.` : `${reason.code}: ${reason.detail}`
    next = turnedDown(next, site, { reason: reply.outcome, detail })
  }
  for (const draft of reply.value?.items ?? []) {
    if (next.madeOfAsk === ask.count) break
    next = withDraft(next, site, { draft, call: reply.call })
  }
  return isWanting(next, site) ? next : closed(next, site)
}

function counted (drafting: Drafting, { usage: { promptTokens, completionTokens } }: Reply): Drafting {
  const { tally } = drafting
  const known = promptTokens !== null && completionTokens !== null
  return {
    ...drafting,
    sampleIndex: drafting.sampleIndex + 1,
    tally: {
      ...tally,
      calls: tally.calls + 1,
      promptTokens: tally.promptTokens + (promptTokens ?? 0),
      completionTokens: tally.completionTokens + (completionTokens ?? 0),
      callsWithoutUsage: tally.callsWithoutUsage + (known ? 0 : 1)
    }
  }
}

function withDraft (
  drafting: Drafting, site: Site, { draft, call }: { draft: unknown, call: Call }
): Drafting {
  const { writer, place, material } = site
  const { at, asks, accepted, tally } = drafting
  const ask = asks[at]!
  // An interim draft is nothing that another could repeat.
  const earlier = accepted.filter(one => asks[one.ask]?.interim !== true).flatMap(one => one.draft)
  const judged = writer.judge(draft as never, { place, ask, material, accepted: earlier })
  if (isFault(judged)) return turnedDown(drafting, site, judged)
  return {
    ...drafting,
    accepted: [...accepted, { draft: judged.items, call, ask: at }],
    madeOfAsk: drafting.madeOfAsk + 1,
    tally: { ...tally, made: tally.made + (ask.interim === true ? 0 : 1) }
  }
}

function isWanting ({ asks, at, madeOfAsk, sampleIndex }: Drafting, { material }: Site): boolean {
  return madeOfAsk < (asks[at]?.count ?? 0) && sampleIndex < material.recipe.samplesMax
}

/** On to the next ask; one that ends with less than its count says so. */
function closed (drafting: Drafting, site: Site): Drafting {
  const { asks, at, madeOfAsk, sampleIndex } = drafting
  const missing = madeOfAsk < (asks[at]?.count ?? 0)
  const told = missing
    ? withRejection(drafting, site, {
      reason: 'short', detail: `${madeOfAsk} of ${asks[at]?.count} came about in ${sampleIndex} ${sampleIndex === 1 ? 'sample' : 'samples'}; recipe.samplesMax allows more.`
    })
    : drafting
  const next = { ...told, at: at + 1, sampleIndex: 0, madeOfAsk: 0, faults: [] }
  return merging(next, site)
}

/** An ask over what those before it gave gets that now; without any it is not put. */
function merging (drafting: Drafting, site: Site): Drafting {
  const { asks, at, accepted } = drafting
  const ask = asks[at]
  if (ask?.merges === undefined) return drafting
  const parts = accepted.filter(one => asks[one.ask]?.interim === true)
  if (parts.length === 0) {
    return { ...withRejection(drafting, site, { reason: 'short', detail: '0 of 1 came about: no part of the section was summarised.' }), at: at + 1 }
  }
  const whole = site.writer.merge?.(ask, parts.map(({ draft }) => draft[0]!)) ?? ask
  return { ...drafting, asks: asks.map(one => one === ask ? whole : one) }
}

/** What is still wanted will not be asked for. */
export function outOfBudget (drafting: Drafting, site: Site): Drafting {
  const { tally: { wanted, made }, asks } = drafting
  const told = withRejection(drafting, site, {
    reason: 'budget', detail: `recipe.tokensMax is spent: ${made} of ${wanted} came about here.`
  })
  return { ...told, at: asks.length }
}

function withRejection (drafting: Drafting, site: Site, { reason, detail }: Fault): Drafting {
  const { place, writer: { kind }, material: { document: { paperId } } } = site
  const rejection = { paperId, place: place.id, kind, reason, detail }
  return { ...drafting, rejections: [...drafting.rejections, rejection] }
}

function turnedDown (drafting: Drafting, site: Site, fault: Fault): Drafting {
  const sample = drafting.sampleIndex - 1
  const told = withRejection(drafting, site, { ...fault, detail: `Sample ${sample}: ${fault.detail}` })
  return { ...told, faults: [...drafting.faults, fault] }
}

/** What the next sample is told of those before; the same words again would bring the same draft again. */
export function earlierOf (
  { accepted, faults, at }: Pick<Drafting, 'accepted' | 'faults' | 'at'>, bytesPerToken = usualBytesPerToken
): string {
  const written = accepted.filter(one => one.ask === at)
    .flatMap(({ draft }) => draft.map(({ question }) => question))
  const lines = [
    ...written.length === 0 ? [] : ['Written already; ask something else:', ...written.map(question => `- ${question}`)],
    ...faults.length === 0 ? [] : ['Turned down; do better:'],
    ...faults.map(({ reason, detail }) => `- ${reason}: ${detail}`)
  ]
  if (lines.length === 0) return '(Nothing was written before.)'
  return fitted([{ kind: 'paragraph', id: 'earlier', text: lines.join('\n') }], earlierTokensMax * bytesPerToken).text
}
