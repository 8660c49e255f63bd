/**
 * What happens between a request and its tokens: a queue, slots, a KV cache, and rates. A sequence
 * waits first come first served, computes the part of its prompt that is not cached, then makes one
 * token after the other until it has made all of them.
 */
import type { Clock } from './clock.ts'
import { countersOf, observeTime, type Counters } from './counters.ts'
import { kvCache, type KvCache } from './kv-cache.ts'
import type { EngineOptions } from './options.ts'
import { mix } from './words.ts'

/** A sequence to be made; the functions are called as it goes. */
export interface Job {
  promptTokens: number
  /** Hashes of the prompt's full blocks. */
  blocks: readonly number[]
  outputTokens: number
  finish: 'stop' | 'length'
  /** On top of the prefill; Infinity never ends. */
  delayMs: number
  /** Instead of the engine's own. */
  itlMs: number | null
  /** @param cached tokens of the prompt that were not computed */
  started: (cached: number) => void
  /** @param made tokens so far, from 1 */
  token: (made: number) => void
  ended: (how: 'finished' | 'aborted') => void
}

interface Sequence extends Job {
  arrivedAt: number
  startedAt: number
  firstAt: number
  tokenAt: number
  made: number
  /** Blocks. */
  held: number
  callOff: () => void
}

export interface Engine {
  /** @returns a function that aborts it, also while it waits */
  submit: (job: Job) => () => void
  readonly running: number
  readonly waiting: number
  readonly sleeping: boolean
  /** Share of the KV cache that running sequences hold, 0 to 1. */
  kvUsage: () => number
  counters: Counters
  /** Aborts what runs and forgets the cache; what comes waits until `wake`. */
  sleep: () => void
  wake: () => void
}

/** One engine's own. */
interface Core {
  options: EngineOptions & { seed: number }
  clock: Clock
  cache: KvCache
  counters: Counters
  waiting: Set<Sequence>
  running: Set<Sequence>
  /** Blocks of the running. */
  held: number
  asleep: boolean
  draws: number
}

export function fakeEngine (options: EngineOptions & { seed: number }, clock: Clock): Engine {
  const core: Core = {
    options,
    clock,
    cache: kvCache(options.kvBlocks),
    counters: countersOf(),
    waiting: new Set(),
    running: new Set(),
    held: 0,
    asleep: false,
    draws: 0
  }
  return {
    counters: core.counters,
    get running () { return core.running.size },
    get waiting () { return core.waiting.size },
    get sleeping () { return core.asleep },
    kvUsage: () => Math.min(1, core.held / options.kvBlocks),
    submit (job) {
      const fresh = { startedAt: 0, firstAt: 0, tokenAt: 0, made: 0, held: 0, callOff: () => {} }
      const sequence = { ...job, arrivedAt: clock.now(), ...fresh }
      core.waiting.add(sequence)
      promote(core)
      return () => { abort(core, sequence) }
    },
    sleep () {
      core.asleep = true
      for (const sequence of core.running) abort(core, sequence)
      core.cache.clear()
    },
    wake () {
      core.asleep = false
      promote(core)
    }
  }
}

const blocksOf = ({ options }: Core, tokens: number): number => Math.ceil(tokens / options.blockSize)

function jittered (core: Core, ms: number): number {
  const { jitter, seed } = core.options
  if (jitter === 0 || ms <= 0) return ms
  return ms * (1 + jitter * (mix(seed ^ Math.imul(++core.draws, 0x9e3779b1)) / 2 ** 31 - 1))
}

/** Starts what waits while there is room, first come first. */
function promote (core: Core): void {
  const { waiting, running, options } = core
  for (const sequence of waiting) {
    if (core.asleep || running.size >= options.maxNumSeqs) return
    // One that is larger than all there is runs alone rather than never.
    if (running.size > 0 && core.held + blocksOf(core, sequence.promptTokens) > options.kvBlocks) return
    waiting.delete(sequence)
    start(core, sequence)
  }
}

function start (core: Core, sequence: Sequence): void {
  const { options, cache, counters, clock } = core
  core.running.add(sequence)
  sequence.startedAt = clock.now()
  // The last token is always computed: its output is the first new one.
  const blocksMax = Math.max(0, Math.floor((sequence.promptTokens - 1) / options.blockSize))
  const cached = Math.min(cache.hits(sequence.blocks), blocksMax) * options.blockSize
  cache.add(sequence.blocks)
  sequence.held = blocksOf(core, sequence.promptTokens)
  core.held += sequence.held
  counters.prefixQueries += sequence.promptTokens
  counters.prefixHits += cached
  counters.promptTokens += sequence.promptTokens
  observeTime(counters.queue, sequence.startedAt - sequence.arrivedAt)
  sequence.started(cached)
  const prefillMs = options.ttftMs + (sequence.promptTokens - cached) / options.prefillTokensPerS * 1000
  later(core, sequence, jittered(core, prefillMs) + sequence.delayMs)
}

function later (core: Core, sequence: Sequence, ms: number): void {
  if (ms > 0) sequence.callOff = core.clock.after(ms, () => { step(core, sequence) })
  else step(core, sequence)
}

/** The next token, or all of them when they cost no time. */
function step (core: Core, sequence: Sequence): void {
  const { options, running } = core
  const itlMs = sequence.itlMs ?? options.itlMs
  for (;;) {
    if (!running.has(sequence)) return
    if (sequence.made >= sequence.outputTokens) { finish(core, sequence); return }
    makeToken(core, sequence, itlMs > 0)
    if (itlMs > 0) break
  }
  if (sequence.made >= sequence.outputTokens) { finish(core, sequence); return }
  later(core, sequence, jittered(core, itlMs * (1 + options.loadFactor * (running.size - 1))))
}

/** @param paced  whether time has passed; tokens that cost none are not worth a look at the clock each */
function makeToken (core: Core, sequence: Sequence, paced: boolean): void {
  const { counters } = core
  sequence.made++
  counters.generationTokens++
  if ((sequence.promptTokens + sequence.made) % core.options.blockSize === 1) {
    sequence.held++
    core.held++
  }
  const now = sequence.made === 1 || paced ? core.clock.now() : sequence.tokenAt
  if (sequence.made === 1) {
    sequence.firstAt = now
    observeTime(counters.prefill, now - sequence.startedAt)
    observeTime(counters.firstToken, now - sequence.arrivedAt)
  } else observeTime(counters.interToken, now - sequence.tokenAt)
  sequence.tokenAt = now
  sequence.token(sequence.made)
}

function leave (core: Core, sequence: Sequence): void {
  core.running.delete(sequence)
  core.held -= sequence.held
}

function finish (core: Core, sequence: Sequence): void {
  const { counters } = core
  leave(core, sequence)
  const now = core.clock.now()
  counters.finished[sequence.finish]++
  if (sequence.made > 0) observeTime(counters.decode, now - sequence.firstAt)
  observeTime(counters.whole, now - sequence.arrivedAt)
  sequence.ended('finished')
  promote(core)
}

function abort (core: Core, sequence: Sequence): void {
  const ran = core.running.has(sequence)
  if (!ran && !core.waiting.delete(sequence)) return
  if (ran) {
    sequence.callOff()
    leave(core, sequence)
  }
  core.counters.finished.abort++
  sequence.ended('aborted')
  promote(core)
}
