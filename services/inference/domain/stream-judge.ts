/**
 * Whether a streamed answer is whole. A clean end of the connection proves nothing, nor does
 * `[DONE]`, which vLLM also sends after an error: each choice must have said why it ended.
 */
import type { TokenUsage } from './call.ts'
import { isGivenUp } from './finish-reasons.ts'
import { believed, noUsage, readUsage, saySomething } from './token-usage.ts'

export interface StreamJudge {
  /** A chunk, parsed. */
  see: (chunk: Record<string, unknown>) => void
  /** Whether every choice asked for has ended, and none by an abort of the engine. */
  isWhole: () => boolean
  /** By index of the choice. */
  finishReasons: () => string[]
  /** The last that was told: counts while streaming are running totals. */
  usage: () => TokenUsage
}

interface Choice {
  index?: unknown
  finish_reason?: unknown
}

/** @param choices  how many the request asks for */
export function createStreamJudge (choices: number): StreamJudge {
  const reasons = new Map<number, string>()
  let usage = noUsage
  let hasText = false

  return {
    see (chunk) {
      if (chunk.usage !== undefined && chunk.usage !== null) usage = readUsage(chunk.usage)
      hasText ||= saySomething(chunk.choices)
      if (!Array.isArray(chunk.choices)) return
      for (const choice of chunk.choices as unknown[]) {
        if (!isChoice(choice)) continue
        const index = choice.index ?? 0
        const { finish_reason: reason } = choice
        if (isReason(reason) && isBelow(index, choices)) reasons.set(index, reason)
      }
    },
    isWhole () {
      if (reasons.size < choices) return false
      return !isGivenUp([...reasons.values()])
    },
    finishReasons: () => [...reasons].sort(([a], [b]) => a - b).map(([, reason]) => reason),
    usage: () => believed(usage, hasText)
  }
}

function isChoice (value: unknown): value is Choice {
  return value !== null && typeof value === 'object'
}

/** Some gateways send an empty one with each chunk: that is no end. */
function isReason (value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** An answer nobody asked for does not stand for one that is missing. */
function isBelow (index: unknown, count: number): index is number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count
}
