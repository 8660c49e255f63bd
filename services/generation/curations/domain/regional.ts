/** Items that only a region's people can be expected to answer: several searches, and what they missed. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { recaptured } from '../../../../shared/stats/capture-recapture.ts'
import { shuffled } from '../../domain/seeded.ts'
import { regionalWords, type RegionPack, type RegionalWord } from './region-pack.ts'
import type { Entry, StepFinding, StepOutcome, StepResult } from './steps.ts'

/** What one search found: the pack's words, or a model. */
export interface Search { by: string, found: ReadonlyMap<string, string> }

export function textOf ({ question, choices = [] }: Item): string {
  return [question, ...choices.map(({ text }) => text)].join('\n')
}

/** Root ids of the items that have words of the pack, and which. */
export function searchByWords (entries: readonly Entry[], pack: RegionPack): Search {
  const words = new Map<string, RegionalWord[]>()
  for (const { rootId, item } of entries) {
    const found = regionalWords(textOf(item), pack)
    if (found.length > 0) words.set(rootId, found)
  }
  return { by: 'words', found: new Map([...words].map(([id, found]) => [id, found.map(({ word }) => word).join(', ')])) }
}

export interface Uniting {
  entries: readonly Entry[]
  pack: RegionPack
  searches: readonly Search[]
  sampleRejected: number
  seed: number
}

/**
 * The union of all searches gets the slice `regional` and a check that people settle; of the rest a random
 * sample goes to people too. Words and models are also compared pair by pair, for what both missed.
 */
export function united ({ entries, pack, searches, sampleRejected, seed }: Uniting): StepResult {
  const outcomes: StepOutcome[] = []
  const rejected: Entry[] = []
  for (const entry of entries) {
    const by = searches.filter(({ found }) => found.has(entry.rootId))
    if (by.length === 0) {
      rejected.push(entry)
      continue
    }
    const detail = by.map(search => `${search.by}: ${search.found.get(entry.rootId)}`).join('; ').slice(0, 1000)
    outcomes.push({
      rootId: entry.rootId,
      action: 'changed',
      reason: 'regional-found',
      detail,
      changes: { slices: { ...entry.item.slices, regional: pack.name } },
      check: { name: 'regional', passed: false, detail: `Two people say whether it is bound to ${pack.title}. ${detail}` }
    })
  }
  const sample = new Set(shuffled(rejected, seed, ({ rootId }) => `regional ${rootId}`).slice(0, sampleRejected).map(({ rootId }) => rootId))
  outcomes.push(...rejected.filter(({ rootId }) => sample.has(rootId)).map(({ rootId }): StepOutcome => ({
    rootId, action: 'flagged', reason: 'sample-of-rejected', detail: `No search found it; one of ${sample.size} drawn from ${rejected.length}.`
  })))
  const counts = { rejected: rejected.length, sampled: sample.size }
  return { outcomes, findings: findingsOf({ entries, searches, pack, ...counts }) }
}

interface Told extends Pick<Uniting, 'entries' | 'searches' | 'pack'> { rejected: number, sampled: number }

function findingsOf ({ entries, searches, pack, rejected, sampled }: Told): StepFinding[] {
  const pairs = searches.flatMap((one, i) => searches.slice(i + 1).map(other => {
    const both = [...one.found.keys()].filter(id => other.found.has(id)).length
    const captures = { first: one.found.size, second: other.found.size, both }
    return { name: `${one.by} and ${other.by}`, value: { ...captures, estimate: recaptured(captures) } }
  }))
  const bound = entries.flatMap(({ rootId, item }) => {
    const words = regionalWords(textOf(item), pack).filter(({ kind }) => kind === 'nonTransferring')
      .map(({ word }) => word)
    const why = pack.nonTransferring.filter(({ word }) => words.includes(word)).map(each => each.why)
    return words.length === 0 ? [] : [{ itemId: rootId, words, why }]
  })
  return [
    { name: 'regional-found', value: searches.map(({ by, found }) => ({ by, found: found.size })) },
    { name: 'regional-rejected', value: { rejected, sampled } },
    { name: 'regional-missed', value: pairs },
    { name: 'regional-non-transferring', value: { count: bound.length, items: bound.slice(0, nonTransferringMax) } }
  ]
}

/** Listed in a finding; their number is told whole. */
const nonTransferringMax = 1000
