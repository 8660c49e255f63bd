/**
 * SIGKILL under load, again and again on one store: what was recorded for a caller is replayed with the
 * same bytes, usage lacks at most the last moments of each life, and nothing is counted twice. Then two
 * processes on one store, of which one is killed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeVllm, type FakeVllm } from '../../../../shared/testing/fake-vllm.ts'
import { callerOf, inTurns, rest, type Caller } from '../calls.ts'
import type { Figure, Settings } from '../figure.ts'
import { endingOf } from './endings.ts'
import type { MadeCall } from './made-calls.ts'
import { startStruck, type Struck } from './struck-process.ts'

const width = 64
/** The README of inference: a killed process loses at most its last second or so. */
const windowMs = 2_000

interface Kept { call: MadeCall, text: string, at: number }
interface Life {
  kept: Kept[]
  failed: number
  /** By the kill. */
  cut: number
  wrong: string[]
  diedAt: number
}

export async function killed ({ rounds, seconds }: Settings): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-killed-'))
  const fake = await fakeVllm({ itlMs: 5, ttftMs: 10, jitter: 0.5, ids: 'header' })
  const upstreams = [{ name: 'lab', baseUrl: fake.url, slots: 64 }]
  try {
    const lives: Life[] = []
    for (let life = 0; life < rounds; life++) {
      const process = await startStruck({ folder, upstreams })
      const after = seconds * 1_000 * (0.5 + 0.5 * (life + 1) / rounds)
      lives.push(await underLoad([process], { life, after, victim: process }))
    }
    // One of two.
    const pair = [await startStruck({ folder, upstreams }), await startStruck({ folder, upstreams })]
    const both = await underLoad(pair, { life: rounds, after: seconds * 1_000, victim: pair[0]! })
    const survivor = callerOf(pair[1]!.url)
    const checked = await check(survivor, [...lives, both], fake)
    await survivor.close()
    await pair[1]!.strike('SIGTERM')
    return figuresOf(checked, [...lives, both])
  } finally {
    await fake.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Load { life: number, after: number, victim: Struck }

/** Until the victim is dead; where another lives, a little longer. */
async function underLoad (processes: readonly Struck[], { life, after, victim }: Load): Promise<Life> {
  const callers = processes.map(({ url }) => callerOf(url))
  const seen: Life = { kept: [], failed: 0, cut: 0, wrong: [], diedAt: Infinity }
  let until = Infinity
  const loading = Promise.all(Array.from({ length: width }, async (_, nth) => {
    const own = nth % processes.length
    for (let turn = 0; performance.now() < until; turn++) {
      const call = recordedCall(life, nth, turn)
      const ending = await endingOf(callers[own]!, call)
      const isVictims = processes[own] === victim
      const at = performance.now()
      if (ending.kind === 'answered') seen.kept.push({ call, text: ending.text, at })
      else if (ending.kind === 'wrong' && isVictims && at > seen.diedAt - 100) {
        seen.cut++
        return
      } else {
        if (ending.kind === 'failed') seen.failed++
        seen.wrong.push(JSON.stringify(ending))
      }
    }
  }))
  await rest(after)
  seen.diedAt = performance.now()
  await victim.strike('SIGKILL')
  if (processes.length > 1) await rest(3_000)
  until = 0
  await loading
  for (const each of callers) await each.close()
  return seen
}

/** Every fourth is asked by two callers of two processes at once, and large ones become files. */
function recordedCall (life: number, at: number, turn: number): MadeCall {
  const shared = turn % 4 === 0
  const stream = (shared ? turn / 4 : at) % 2 === 0
  const body = JSON.stringify({
    model: 'fake-model',
    messages: [{ role: 'user', content: shared ? `shared ${life}.${turn}` : `own ${life}.${at}.${turn}` }],
    max_tokens: 12,
    temperature: 0,
    ignore_eos: true,
    ...stream && { stream }
  })
  const headers = { 'viva-group': 'killed', 'viva-purpose': `life ${life}`, 'viva-replay': turn % 2 === 0 ? 'replay-or-record' : 'record' }
  return { group: 'recorded', path: '/v1/chat/completions', body, headers, stream, leaveAfterMs: null }
}

async function check (caller: Caller, lives: readonly Life[], fake: FakeVllm) {
  const before = fake.journal.length
  const kept = lives.flatMap(each => each.kept)
  let lost = 0
  let other = 0
  await inTurns({ count: kept.length, width: 32 }, async nth => {
    const { call, text } = kept[nth]!
    const again = await endingOf(caller, { ...call, headers: { ...call.headers, 'viva-group': 'again', 'viva-replay': 'replay' } })
    if (again.kind !== 'answered') lost++
    // Of two processes that stream the same at once each sends its own, and the record keeps the first.
    else if (again.text !== text && !(call.stream && call.body.includes('shared'))) other++
  })
  await rest(1_500)
  const usage = await Promise.all(lives.map(async ({ kept, failed, cut, diedAt }, life) => {
    const { totals } = JSON.parse(await caller.get(`/v1/usage?group=killed&purpose=life%20${life}`)) as { totals: { requests: number, outcomes: { answered: number } } }
    const acknowledged = kept.length + failed
    const before = kept.filter(({ at }) => at < diedAt - windowMs).length
    const { requests: counted, outcomes: { answered } } = totals
    return { counted, answered, acknowledged, before, most: acknowledged + cut }
  }))
  return { kept: kept.length, lost, other, asked: fake.journal.length - before, usage }
}

type Checked = Awaited<ReturnType<typeof check>>

function figuresOf ({ kept, lost, other, asked, usage }: Checked, lives: readonly Life[]): Figure[] {
  const wrong = lives.flatMap(life => life.wrong)
  const short = usage.filter(({ answered, before }) => answered < before).length
  const doubled = usage.filter(({ counted, most }) => counted > most).length
  const missing = usage.reduce((sum, life) => sum + Math.max(0, life.acknowledged - life.counted), 0)
  return [{
    what: 'SIGKILL under load: recorded replies that were answered and are lost, or are other bytes',
    bar: '0, 0',
    met: lost + other === 0 && asked === 0,
    measured: `${lost}, ${other} of ${kept}`,
    n: `${lives.length} kills, the last of one of two processes on the store, with ${width} calls under way; replayed without asking the server`,
    values: { kept, lost, other, asked }
  }, {
    what: `their usage: lives that lack more than the last ${windowMs / 1_000} s, that count more than was asked (calls lacking)`,
    bar: '0, 0',
    met: short + doubled === 0,
    measured: `${short}, ${doubled} (${missing} of ${kept})`,
    n: `${lives.length} lives, read by the process that was left`,
    values: { short, doubled, missing }
  }, {
    what: 'calls of these lives that ended otherwise than answered, or cut by the kill',
    bar: '0',
    met: wrong.length === 0,
    measured: String(wrong.length),
    n: 'those of the process that was left included',
    values: { wrong: wrong.length }
  }]
}
