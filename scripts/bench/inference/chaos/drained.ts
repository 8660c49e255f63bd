/** SIGTERM under load: who was let in is answered, or told why not, within the drain, and all is counted. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeVllm, type FakeVllm } from '../../../../shared/testing/fake-vllm.ts'
import { callerOf, rest } from '../calls.ts'
import type { Figure } from '../figure.ts'
import { endingOf, type Ending } from './endings.ts'
import { startStruck } from './struck-process.ts'

const width = 400
const slots = 150
/** The house's 20 s, and what closing takes. */
const endsWithinMs = 25_000

interface Totals { requests: number, outcomes: Record<string, number>, completionTokens: number }

export async function drained (): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-drained-'))
  const fake = await fakeVllm({ itlMs: 100, ttftMs: 50, maxNumSeqs: 512 })
  const upstreams = [{ name: 'lab', baseUrl: fake.url, slots }]
  const first = await startStruck({ folder, upstreams })
  const caller = callerOf(first.url)
  const seen: Ending[] = []
  let struckAt = Infinity
  const loading = Promise.all(Array.from({ length: width }, async (_, at) => {
    for (let turn = 0; performance.now() < struckAt; turn++) {
      seen.push(await endingOf(caller, callOf(at, turn)))
    }
  }))
  await rest(6_000)
  struckAt = performance.now()
  const { ended, ms } = await first.strike('SIGTERM')
  await loading
  await caller.close()

  const second = await startStruck({ folder, upstreams })
  const again = callerOf(second.url)
  const { totals } = JSON.parse(await again.get('/v1/usage?group=drained')) as { totals: Totals }
  await again.close()
  await second.strike('SIGTERM')
  await fake.close()
  await rm(folder, { recursive: true, force: true })

  return figuresOf(seen, { ended, ms, totals, served: tokensServed(fake) })
}

function tokensServed ({ journal }: FakeVllm): number {
  return journal.filter(({ status, endedBy }) => status === 200 && endedBy === 'server')
    .reduce((sum, entry) => sum + entry.tokensSent, 0)
}

interface After { ended: number | string, ms: number, totals: Totals, served: number }

function figuresOf (seen: readonly Ending[], { ended, ms, totals, served }: After): Figure[] {
  const answered = seen.filter(({ kind }) => kind === 'answered').length
  const told = seen.filter(ending => ending.kind === 'failed' && ending.type === 'shutting-down').length
  const unclear = seen.length - answered - told
  const { outcomes, completionTokens } = totals
  const isCounted = outcomes.answered === answered && outcomes.failed === told && completionTokens === served
  return [{
    what: 'SIGTERM under load: exit code; calls let in that had neither an answer nor a word of why; answered, told',
    bar: `0 within ${endsWithinMs / 1_000} s; 0`,
    met: ended === 0 && ms <= endsWithinMs && unclear === 0,
    measured: `${ended} after ${(ms / 1_000).toFixed(1)} s; ${unclear}; ${answered}, ${told}`,
    n: `${seen.length} calls, ${width} at once, of which an eighth would take a minute`,
    values: { ended: String(ended), ms, unclear, answered, told }
  }, {
    what: 'their usage in the next process: answered, failed, completion tokens',
    bar: 'as callers and server saw',
    met: isCounted,
    measured: `${totals.outcomes.answered}, ${totals.outcomes.failed}, ${totals.completionTokens} (${answered}, ${told}, ${served})`,
    n: `${totals.requests} calls`,
    values: { counted: totals.requests, completionTokens: totals.completionTokens, served }
  }]
}

/** Most end in 1 to 4 s, one in eight would take a minute. */
function callOf (at: number, turn: number) {
  const stream = at % 2 === 0
  const body = JSON.stringify({
    model: 'fake-model',
    messages: [{ role: 'user', content: `drained ${at}.${turn}` }],
    max_tokens: at % 8 === 0 ? 600 : 10 + at % 30,
    ignore_eos: true,
    ...stream && { stream }
  })
  return { group: 'clean' as const, path: '/v1/chat/completions', body, headers: { 'viva-group': 'drained' }, stream, leaveAfterMs: null }
}
