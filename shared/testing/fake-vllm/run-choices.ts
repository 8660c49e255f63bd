/** Has the engine make the tokens of each choice, and stops it when the client leaves. */
import type { Asked } from './asked.ts'
import { busyRefusal } from './dialect.ts'
import { tokensOf, type Choice } from './choices.ts'
import type { Exchange, Fake } from './fake.ts'
import { blockHashes } from './kv-cache.ts'

export interface Listener {
  token: (choice: Choice, made: number) => void
  /** All choices are through. @param aborted by the engine, put to sleep */
  ended: (aborted: boolean) => void
  choiceEnded: (choice: Choice) => void
}

interface Run { asked: Asked, choices: readonly Choice[], listener: Listener }

/** @throws Refusal 503 when the queue of a version that bounds it is full */
export function runChoices (fake: Fake, exchange: Exchange, run: Run): void {
  const { engine, dialect, options } = fake
  const { entry, plan, response } = exchange
  const { asked, choices, listener } = run
  const { maxNumQueuedReqs: most } = options
  if (dialect.admission && most !== null && engine.waiting + engine.running >= most) {
    engine.counters.rejections++
    throw busyRefusal()
  }
  entry.promptTokens = asked.prompts.reduce((sum, { tokens }) => sum + tokens, 0)
  let left = choices.length
  let aborted = false
  const aborts: Array<() => void> = []
  // Before the first is submitted: with no latency it may end at once.
  response.once('close', () => { for (const abort of aborts) abort() })
  const blocks = new Map(asked.prompts.map(prompt => [prompt, blockHashes(prompt.bytes, options.blockSize)]))
  for (const choice of choices) {
    if (response.destroyed) return
    aborts.push(engine.submit({
      promptTokens: choice.prompt.tokens,
      blocks: blocks.get(choice.prompt) ?? [],
      outputTokens: tokensOf(choice),
      finish: choice.finish === 'length' ? 'length' : 'stop',
      delayMs: plan.firstMs ?? 0,
      itlMs: plan.rate === undefined ? null : 1000 / plan.rate,
      started (cached) {
        // Further choices of a prompt find it in the cache, which saves the caller nothing.
        if (choice.index % asked.n === 0) entry.cachedTokens = (entry.cachedTokens ?? 0) + cached
      },
      token (made) {
        entry.tokensMade++
        listener.token(choice, made)
      },
      ended (how) {
        if (how === 'aborted') aborted = true
        else listener.choiceEnded(choice)
        if (--left === 0 && !response.destroyed) listener.ended(aborted)
      }
    }))
  }
}
