/**
 * Thousands of calls at once against servers that fail in every way they can: whether each call ends in
 * one way, nothing stays in flight, memory stands still, and usage is what callers and servers saw.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeVllm, type FakeVllm } from '../../../../shared/testing/fake-vllm.ts'
import type { Entry } from '../../../../shared/testing/fake-vllm/journal.ts'
import { callerOf, rest, type Caller } from '../calls.ts'
import type { Figure, Settings } from '../figure.ts'
import { endingOf, type Ending } from './endings.ts'
import { behaviour, callNameIn, groups, madeCall, textOf, type Group } from './made-calls.ts'
import { startStruck } from './struck-process.ts'

const width = 2_000
const slots = 600

/** A server that says nothing more is given up within the round. */
const impatient = { INFERENCE_IDLE_TIMEOUT_MS: '10000', INFERENCE_FIRST_BYTE_TIMEOUT_MS: '20000', INFERENCE_TOTAL_TIMEOUT_MS: '60000' }

type Callers = Record<string, Caller>
type Counts = Record<Group, Record<Ending['kind'], number>>

interface Round {
  sent: number
  counts: Counts
  wrong: string[]
  failures: Record<string, number>
  /** Calls, as groupAndId tells them, that somebody got no answer to. */
  unanswered: Set<string>
  idleMb: number
  /** Heap and buffers. */
  heldMb: number
  mostMb: number
}

export async function mixedLoad ({ rounds, seconds }: Settings): Promise<Figure[]> {
  const fakes = await Promise.all([1, 2].map(async seed =>
    await fakeVllm({ seed, itlMs: 150, ttftMs: 100, jitter: 0.5, ids: 'header', maxNumSeqs: 512, behave: behaviour() })))
  const folder = await mkdtemp(join(tmpdir(), 'viva-mixed-'))
  const upstreams = fakes.map(({ url }, nth) => ({ name: `fake-${nth}`, baseUrl: url, slots }))
  const proxy = await startStruck({ folder, upstreams, env: impatient })
  const paths = ['/v1/chat/completions', '/v1/completions']
  const callers = Object.fromEntries(paths.map(path => [path, callerOf(proxy.url, path)]))
  const chat = callers['/v1/chat/completions']!
  try {
    const all: Round[] = []
    for (let round = 1; round <= rounds; round++) {
      const done = await oneRound(callers, { seed: round, seconds, residentMb: proxy.residentMb })
      await untilIdle(chat, fakes)
      await proxy.collectGarbage()
      done.idleMb = proxy.residentMb()
      done.heldMb = await heldMb(chat)
      all.push(done)
      done.wrong.slice(0, 5).forEach(line => { process.stderr.write(`  ${line}\n`) })
    }
    const usage = await usageOf(chat)
    const differences = comparison(all, usage, fakes)
    differences.forEach(line => { process.stderr.write(`  ${line}\n`) })
    return figuresOf(all, differences)
  } finally {
    for (const caller of Object.values(callers)) await caller.close()
    await proxy.strike('SIGTERM')
    for (const fake of fakes) await fake.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Asked { seed: number, seconds: number, residentMb: () => number }

async function oneRound (callers: Callers, { seed, seconds, residentMb }: Asked): Promise<Round> {
  const counts = Object.fromEntries(groups.map(group =>
    [group, { answered: 0, failed: 0, left: 0, wrong: 0 }])) as Counts
  const memory = { idleMb: NaN, heldMb: NaN, mostMb: 0 }
  const round: Round = { sent: 0, counts, wrong: [], failures: {}, unanswered: new Set(), ...memory }
  const end = performance.now() + seconds * 1_000
  const timer = setInterval(() => { round.mostMb = Math.max(round.mostMb, residentMb()) }, 500)
  await Promise.all(Array.from({ length: width }, async (_, at) => {
    // Callers do not come in one moment.
    await rest(at)
    while (performance.now() < end) {
      const call = madeCall({ seed, nth: round.sent++ })
      const ending = await endingOf(callers[call.path]!, call)
      counts[call.group][ending.kind]++
      if (ending.kind !== 'answered') round.unanswered.add(callNameIn(call.body))
      if (ending.kind === 'failed') round.failures[ending.type] = (round.failures[ending.type] ?? 0) + 1
      if (ending.kind === 'wrong') round.wrong.push(`${call.group} ${call.body.slice(0, 160)} ${ending.why}`)
    }
  }))
  clearInterval(timer)
  return round
}

/** @throws Error that tells what is still under way after 20 s */
async function untilIdle (caller: Caller, fakes: readonly FakeVllm[]): Promise<void> {
  const began = performance.now()
  for (;;) {
    const metrics = await caller.get('/metrics')
    const under = [...metrics.matchAll(/^viva_(?:upstream_in_flight|call_queue_calls|call_queue_bytes)\{?[^\n]* (\d+)$/gm)]
      .reduce((sum, [, value]) => sum + Number(value), 0)
    const atServers = journalOf(fakes).filter(({ endedBy }) => endedBy === undefined).length
    if (under + atServers === 0) return
    if (performance.now() - began > 20_000) throw new Error(`Still under way: ${under} here, ${atServers} at the servers`)
    await rest(100)
  }
}

async function heldMb (caller: Caller): Promise<number> {
  const metrics = await caller.get('/metrics')
  return [...metrics.matchAll(/^nodejs_(?:heap_size_used|external_memory)_bytes (\d+)$/gm)]
    .reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 2 ** 20
}

interface Figures {
  requests: number
  outcomes: { answered: number, refused: number, failed: number, cancelled: number }
  promptTokens: number | null
  completionTokens: number | null
}

async function usageOf (caller: Caller): Promise<Record<string, Figures>> {
  const entries: Array<[string, Figures]> = []
  for (const group of groups) {
    const { totals } = JSON.parse(await caller.get(`/v1/usage?group=${group}`)) as { totals: Figures }
    entries.push([group, totals])
  }
  return Object.fromEntries(entries)
}

/** Sentences on what callers, usage and servers tell differently. */
function comparison (
  rounds: readonly Round[], usage: Record<string, Figures>, fakes: readonly FakeVllm[]
): string[] {
  const lines: string[] = []
  const differ = (what: string, one: number, other: number): void => {
    if (one !== other) lines.push(`${what}: ${one}, not ${other}`)
  }
  for (const group of groups) {
    const { requests, outcomes: { answered, refused, failed, cancelled } } = usage[group]!
    const seen = (kind: Ending['kind']): number => rounds.reduce((sum, { counts }) => sum + counts[group][kind], 0)
    if (group === 'left') {
      // Who leaves early enough was never heard; who leaves late may have been answered already.
      const all = seen('answered') + seen('failed') + seen('left')
      if (requests > all || requests < seen('answered') + seen('failed')) lines.push(`left, requests: ${requests} of ${all}`)
      if (answered < seen('answered')) lines.push(`left, answered: ${answered}, not ${seen('answered')}`)
    } else {
      differ(`${group}, answered`, answered, seen('answered'))
      differ(`${group}, refused and failed`, refused + failed, seen('failed'))
      differ(`${group}, cancelled`, cancelled, 0)
    }
    differ(`${group}, outcomes`, answered + refused + failed + cancelled, requests)
  }
  // What a server spent on a call that came to nothing here it could not tell.
  const untold = new Set(rounds.flatMap(({ unanswered }) => [...unanswered]))
  const entries = journalOf(fakes).filter(({ status, scripts }) => status === 200 && !scripts.some(fails))
  for (const group of ['clean', 'flaky', 'shared', 'recorded']) {
    // Several calls bear one name there: what one of them missed cannot be told from what another had.
    if (/shared|recorded/.test(group) && [...untold].some(name => name.startsWith(group))) continue
    const whole = entries.filter(({ body }) => {
      const name = callNameIn(textOf(body))
      return name.startsWith(group) && !untold.has(name)
    })
    differ(`${group}, prompt tokens`, usage[group]!.promptTokens ?? 0, sum(whole.map(entry => entry.promptTokens ?? 0)))
    differ(`${group}, completion tokens`, usage[group]!.completionTokens ?? 0, sum(whole.map(entry => entry.tokensSent)))
  }
  return lines
}

const journalOf = (fakes: readonly FakeVllm[]): Entry[] => fakes.flatMap(({ journal }) => journal)
const fails = (script: string): boolean => /^(hang_up|err_first|done_only|half_headers|rst)/.test(script)
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

function figuresOf (rounds: readonly Round[], differences: readonly string[]): Figure[] {
  const sent = sum(rounds.map(round => round.sent))
  const wrong = rounds.flatMap(round => round.wrong)
  const ends = (kind: Ending['kind']): number => sum(rounds.flatMap(({ counts }) => groups.map(group => counts[group][kind])))
  const held = rounds.map(({ heldMb }) => Math.round(heldMb))
  const idle = rounds.map(({ idleMb }) => Math.round(idleMb))
  const grown = Math.max(...held.slice(1), 0) - (held[0] ?? 0)
  return [{
    what: `calls among faults that ended in no way, or in two; answered, failed, left (${width} at once)`,
    bar: '0',
    met: wrong.length === 0,
    measured: `${wrong.length} of ${sent}; ${ends('answered')}, ${ends('failed')}, ${ends('left')}`,
    n: `${rounds.length} rounds, two servers of ${slots} slots; nothing in flight after each`,
    values: { sent, wrong: wrong.length, answered: ends('answered'), failed: ends('failed'), left: ends('left') }
  }, {
    what: 'usage of these calls told otherwise by their callers and by the servers\' journal',
    bar: '0',
    met: differences.length === 0,
    measured: String(differences.length),
    n: 'answered, failed and cancelled of each group; tokens of those whose servers told them',
    values: { differences: differences.length }
  }, {
    what: 'memory held at rest after each round (resident; most in any round)',
    bar: 'grows by at most 10 MB after the first',
    met: grown <= 10,
    measured: `${held.join(', ')} MB (${idle.join(', ')}; ${Math.round(Math.max(...rounds.map(({ mostMb }) => mostMb)))})`,
    n: `${rounds.length} rounds, garbage collected after each`,
    values: { grownMb: grown, mostMb: Math.max(...rounds.map(({ mostMb }) => mostMb)) }
  }]
}
