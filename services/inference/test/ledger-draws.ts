/** Calls drawn at random, and what a ledger must say of them. */
import type { Random } from '../../../shared/testing/random.ts'
import type { CallRecord } from '../domain/call.ts'
import { addCall, noSums, usageKeyOf, type UsageSums } from '../domain/usage.ts'
import type { UsageLedger } from '../handlers/usage-ledger.ts'
import { callOf } from './ledger-parts.ts'

export function drawnCall (random: Random): CallRecord {
  const some = (): number | null => random.chance(0.2) ? null : random.whole(0, 5000)
  return callOf({
    path: random.pick(['/v1/chat/completions', '/v1/embeddings', '/v1/tokenize']),
    model: random.pick(['m', 'n', 'a/b']),
    labels: { caller: random.pick(['', 'scoring', '=1+1']), group: random.pick(['', 'g1', 'g2', 'g3']), purpose: random.pick(['p', 'q']) },
    outcome: random.pick(['answered', 'answered', 'refused', 'failed', 'cancelled']),
    problem: random.chance(0.05) ? 'model-not-found' : null,
    usage: { promptTokens: some(), completionTokens: some(), cachedTokens: some(), reasoningTokens: some() },
    source: random.pick(['upstream', 'upstream', 'record', 'coalesced']),
    attempts: random.whole(0, 3),
    firstByteMs: random.chance(0.3) ? null : random.whole(1, 100),
    queueMs: random.whole(0, 9),
    totalMs: random.whole(10, 300)
  })
}

/** The same calls, added up in the plainest way. */
export function expected (calls: readonly CallRecord[]): Map<string, UsageSums> {
  const sums = new Map<string, UsageSums>()
  for (const call of calls) {
    const key = JSON.stringify(usageKeyOf(call))
    const row = sums.get(key) ?? noSums()
    addCall(row, call)
    sums.set(key, row)
  }
  return sums
}

export async function counted (ledger: UsageLedger): Promise<Map<string, UsageSums>> {
  return new Map((await ledger.read({})).map(({ key, sums }) => {
    const { model, caller, group, purpose } = key
    return [JSON.stringify({ model, caller, group, purpose }), sums]
  }))
}
