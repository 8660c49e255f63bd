/**
 * The drafts of one place, as they come in: what was accepted, what was turned down and why, what to
 * ask next. Each reply makes a new state; nothing here asks anyone.
 */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Item, Provenance, Rejection } from '../../../../shared/contracts/item.ts'
import { fitted } from '../../../../shared/text/content-budget.ts'
import type { Place } from '../plan.ts'
import { earlierTokensMax } from './room.ts'
import type { Ask, Fault, ItemDraft, Judged, Material, Writer } from './writer.ts'

/** Changes whenever the same replies would give other items. */
export const modelStrategyVersion = '1'

export interface Slot { generationId: string, place: Place, writer: Writer, material: Material }

/** How an item came to be asked for: what the call says of itself. */
export type Call = Omit<Provenance, 'strategy' | 'strategyVersion' | 'rule' | 'leftOut'>

interface Accepted { draft: ItemDraft[], call: Call, ask: Ask }

export interface Tally { calls: number, promptTokens: number, completionTokens: number, wanted: number, made: number }

export interface Drafting {
  accepted: readonly Accepted[]
  rejections: readonly Rejection[]
  tally: Tally
  /** Of the ask under way: the sample to put next, what it has so far, and what to tell back. */
  sampleIndex: number
  madeOfAsk: number
  faults: readonly Fault[]
}

export const noDrafts: Drafting = {
  accepted: [],
  rejections: [],
  tally: { calls: 0, promptTokens: 0, completionTokens: 0, wanted: 0, made: 0 },
  sampleIndex: 0,
  madeOfAsk: 0,
  faults: []
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

export function begun (drafting: Drafting, ask: Ask): Drafting {
  const { tally } = drafting
  return { ...drafting, sampleIndex: 0, madeOfAsk: 0, faults: [], tally: { ...tally, wanted: tally.wanted + ask.count } }
}

export function isWanting ({ madeOfAsk, sampleIndex }: Drafting, ask: Ask, samplesMax: number): boolean {
  return madeOfAsk < ask.count && sampleIndex < samplesMax
}

/** Drafts of the reply in their order until the count is reached; each turned down is a rejection. */
export function withReply (drafting: Drafting, { slot, ask }: { slot: Slot, ask: Ask }, reply: Reply): Drafting {
  const { tally } = drafting
  let next: Drafting = {
    ...drafting,
    sampleIndex: drafting.sampleIndex + 1,
    tally: {
      ...tally,
      calls: tally.calls + 1,
      promptTokens: tally.promptTokens + (reply.usage.promptTokens ?? 0),
      completionTokens: tally.completionTokens + (reply.usage.completionTokens ?? 0)
    }
  }
  if (reply.outcome !== 'answered') {
    const detail = reply.reason === null ? `The reply was ${reply.outcome}.` : `${reply.reason.code}: ${reply.reason.detail}`
    next = turnedDown(next, slot, { reason: reply.outcome, detail })
  }
  for (const draft of reply.value?.items ?? []) {
    if (next.madeOfAsk === ask.count) break
    const accepted = next.accepted.flatMap(({ draft }) => draft)
    const judged: Judged = slot.writer.judge(draft as never, { place: slot.place, ask, material: slot.material, accepted })
    next = 'items' in judged
      ? {
          ...next,
          accepted: [...next.accepted, { draft: judged.items, call: reply.call, ask }],
          madeOfAsk: next.madeOfAsk + 1,
          tally: { ...next.tally, made: next.tally.made + 1 }
        }
      : turnedDown(next, slot, judged)
  }
  return next
}

/** An ask that ends with less than its count says so. */
export function ended (drafting: Drafting, slot: Slot, ask: Ask): Drafting {
  const { madeOfAsk, sampleIndex } = drafting
  if (madeOfAsk >= ask.count) return drafting
  return withRejection(drafting, slot, {
    reason: 'short', detail: `${madeOfAsk} of ${ask.count} came about in ${sampleIndex} ${sampleIndex === 1 ? 'sample' : 'samples'}; recipe.samplesMax allows more.`
  })
}

export function withRejection (drafting: Drafting, slot: Slot, { reason, detail }: Fault): Drafting {
  const { place, writer: { kind }, material: { document: { paperId } } } = slot
  return { ...drafting, rejections: [...drafting.rejections, { paperId, place: place.id, kind, reason, detail }] }
}

function turnedDown (drafting: Drafting, slot: Slot, fault: Fault): Drafting {
  const sample = drafting.sampleIndex - 1
  const told = withRejection(drafting, slot, { ...fault, detail: `Sample ${sample}: ${fault.detail}` })
  return { ...told, faults: [...drafting.faults, fault] }
}

/** What the next sample is told of those before; the same words again would bring the same draft again. */
export function earlierOf ({ accepted, faults }: Drafting, ask: Ask): string {
  const written = accepted.filter(one => one.ask === ask).flatMap(({ draft }) => draft.map(({ question }) => question))
  const lines = [
    ...written.length === 0 ? [] : ['Written already; ask something else:', ...written.map(question => `- ${question}`)],
    ...faults.length === 0 ? [] : ['Turned down; do better:', ...faults.map(({ reason, detail }) => `- ${reason}: ${detail}`)]
  ]
  if (lines.length === 0) return '(Nothing was written before.)'
  return fitted([{ kind: 'paragraph', id: 'earlier', text: lines.join('\n') }], earlierTokensMax * 4).text
}

/** The items of the place: numbered in the order they were accepted, members of a pair one after the other. */
export function itemsOf ({ accepted }: Drafting, slot: Slot): Item[] {
  const { generationId, place, writer, material: { document: { paperId, documentHash }, language } } = slot
  let index = 0
  return accepted.flatMap(({ draft, call, ask }, number) => {
    const pairId = draft.length < 2
      ? undefined
      : idOf('item', { generationId, paperId, place: place.id, writer: writer.name, pair: number })
    return draft.map(item => ({
      id: idOf('item', { generationId, paperId, place: place.id, kind: writer.kind, writer: writer.name, index: index++ }),
      kind: writer.kind,
      source: { paperId, documentHash },
      place: place.id,
      figureIds: place.aspect === 'figure' ? [place.id] : [],
      ...pairId !== undefined && { pairId },
      language,
      ...item,
      slices: { ...ask.slices, ...item.slices },
      provenance: {
        strategy: 'model',
        strategyVersion: modelStrategyVersion,
        ...call,
        rule: writer.name,
        ...ask.leftOut.length > 0 && { leftOut: [...ask.leftOut] }
      }
    }))
  })
}
