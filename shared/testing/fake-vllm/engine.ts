/**
 * What happens between a request and its tokens: a queue, slots, a KV cache, and rates. A sequence
 * waits first come first served, computes the part of its prompt that is not cached, then makes one
 * token after the other until it has made all of them.
 */
import type { Clock } from './clock.ts'
import { countersOf, observeTime, type Counters } from './counters.ts'
import { kvCache } from './kv-cache.ts'
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

export function fakeEngine (options: EngineOptions & { seed: number }, clock: Clock): Engine {
  const cache = kvCache(options.kvBlocks)
  const counters = countersOf()
  const waiting = new Set<Sequence>()
  const running = new Set<Sequence>()
  let held = 0
  let asleep = false
  let draws = 0

  const blocksOf = (tokens: number) => Math.ceil(tokens / options.blockSize)
  const jittered = (ms: number) => {
    if (options.jitter === 0 || ms <= 0) return ms
    return ms * (1 + options.jitter * (mix(options.seed ^ Math.imul(++draws, 0x9e3779b1)) / 2 ** 31 - 1))
  }

  function promote (): void {
    for (const sequence of waiting) {
      if (asleep || running.size >= options.maxNumSeqs) return
      // One that is larger than all there is runs alone rather than never.
      if (running.size > 0 && held + blocksOf(sequence.promptTokens) > options.kvBlocks) return
      waiting.delete(sequence)
      start(sequence)
    }
  }

  function start (sequence: Sequence): void {
    running.add(sequence)
    sequence.startedAt = clock.now()
    // The last token is always computed: its output is the first new one.
    const blocksMax = Math.floor((sequence.promptTokens - 1) / options.blockSize)
    const cached = Math.min(cache.hits(sequence.blocks), Math.max(0, blocksMax)) * options.blockSize
    cache.add(sequence.blocks)
    sequence.held = blocksOf(sequence.promptTokens)
    held += sequence.held
    counters.prefixQueries += sequence.promptTokens
    counters.prefixHits += cached
    counters.promptTokens += sequence.promptTokens
    observeTime(counters.queue, sequence.startedAt - sequence.arrivedAt)
    sequence.started(cached)
    const prefillMs = options.ttftMs + (sequence.promptTokens - cached) / options.prefillTokensPerS * 1000
    later(sequence, jittered(prefillMs) + sequence.delayMs)
  }

  function later (sequence: Sequence, ms: number): void {
    if (ms > 0) sequence.callOff = clock.after(ms, () => { step(sequence) })
    else step(sequence)
  }

  function step (sequence: Sequence): void {
    const itlMs = sequence.itlMs ?? options.itlMs
    do {
      if (!running.has(sequence)) return
      if (sequence.made >= sequence.outputTokens) { finish(sequence); return }
      sequence.made++
      counters.generationTokens++
      if ((sequence.promptTokens + sequence.made) % options.blockSize === 1) { sequence.held++; held++ }
      const now = clock.now()
      if (sequence.made === 1) {
        sequence.firstAt = now
        observeTime(counters.prefill, now - sequence.startedAt)
        observeTime(counters.firstToken, now - sequence.arrivedAt)
      } else observeTime(counters.interToken, now - sequence.tokenAt)
      sequence.tokenAt = now
      sequence.token(sequence.made)
    } while (itlMs <= 0)
    if (sequence.made >= sequence.outputTokens) { finish(sequence); return }
    later(sequence, jittered(itlMs * (1 + options.loadFactor * (running.size - 1))))
  }

  function leave (sequence: Sequence): void {
    running.delete(sequence)
    held -= sequence.held
  }

  function finish (sequence: Sequence): void {
    leave(sequence)
    const now = clock.now()
    counters.finished[sequence.finish]++
    if (sequence.made > 0) observeTime(counters.decode, now - sequence.firstAt)
    observeTime(counters.whole, now - sequence.arrivedAt)
    sequence.ended('finished')
    promote()
  }

  function abort (sequence: Sequence): void {
    const ran = running.has(sequence)
    if (!ran && !waiting.delete(sequence)) return
    if (ran) { sequence.callOff(); leave(sequence) }
    counters.finished.abort++
    sequence.ended('aborted')
    promote()
  }

  return {
    counters,
    get running () { return running.size },
    get waiting () { return waiting.size },
    get sleeping () { return asleep },
    kvUsage: () => Math.min(1, held / options.kvBlocks),
    submit (job) {
      const sequence = { ...job, arrivedAt: clock.now(), startedAt: 0, firstAt: 0, tokenAt: 0, made: 0, held: 0, callOff: () => {} }
      waiting.add(sequence)
      promote()
      return () => { abort(sequence) }
    },
    sleep () {
      asleep = true
      for (const sequence of running) abort(sequence)
      cache.clear()
    },
    wake () { asleep = false; promote() }
  }
}
