/** Whether the tokens of GET /v1/usage are those the servers' journal holds. */
import { fakeVllm, type FakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { chatBody } from './bodies.ts'
import { callerOf, inTurns, rest, type Caller } from './calls.ts'
import type { Figure } from './figure.ts'
import { startProxy } from './servers.ts'

const calls = 1_000

export async function accounting (): Promise<Figure[]> {
  const fakes = await Promise.all([1, 2].map(async seed => await fakeVllm({ seed, itlMs: 1 })))
  const proxy = await startProxy({ urls: fakes.map(({ url }) => url), slots: 64 })
  const chat = callerOf(proxy.url)
  const completions = callerOf(proxy.url, '/v1/completions')
  const embeddings = callerOf(proxy.url, '/v1/embeddings')
  try {
    const from = fakes.map(({ journal }) => journal.length)
    const callers = { chat, completions, embeddings }
    await inTurns({ count: calls, width: 32 }, async nth => { await one(callers, nth) })
    const counted = await usage(chat)
    const journal = journalled(fakes, from)
    const isEqual = counted.prompt === journal.prompt && counted.completion === journal.completion
    return [{
      what: `tokens of ${calls} mixed calls: usage, journal`,
      bar: 'equal',
      met: isEqual,
      measured: `${counted.prompt} + ${counted.completion}, ${journal.prompt} + ${journal.completion}`,
      n: 'plain, streamed with and without usage, n = 2, completions, embeddings, refused ones; two servers',
      values: {
        prompt: counted.prompt,
        completion: counted.completion,
        journalPrompt: journal.prompt,
        journalCompletion: journal.completion
      }
    }]
  } finally {
    for (const caller of [chat, completions, embeddings]) await caller.close()
    await proxy.stop()
    for (const fake of fakes) await fake.close()
  }
}

type Callers = Record<'chat' | 'completions' | 'embeddings', Caller>

async function one (callers: Callers, nth: number): Promise<void> {
  const labels = { 'viva-caller': 'bench', 'viva-group': 'accounting' }
  const [path, body, wanted = 200] = kinds[nth % kinds.length]!(nth)
  const { status } = await callers[path].ask(body, {}, labels).done
  if (status !== wanted) throw new Error(`Call ${nth} got status ${status}, not ${wanted}`)
}

type Made = [path: keyof Callers, body: string, wanted?: number]

function chatCall (nth: number, extra: object, stream = false): string {
  return chatBody({ ask: `Item ${nth}. `, bytes: 400 + nth, maxTokens: 1 + nth % 40, stream, extra })
}

const kinds: Array<(nth: number) => Made> = [
  nth => ['chat', chatCall(nth, {})],
  nth => ['chat', chatCall(nth, {}, true)],
  nth => ['chat', chatCall(nth, { stream_options: { include_usage: true } }, true)],
  nth => ['chat', chatCall(nth, { n: 2, temperature: 1 })],
  // Refused by the server: longer than its context.
  nth => ['chat', chatCall(nth, { max_tokens: 100_000 }), 400],
  nth => ['completions', JSON.stringify({ model: 'fake-model', prompt: `Item ${nth} 漢 🙂`, max_tokens: 1 + nth % 40 })],
  nth => ['completions', JSON.stringify({ model: 'fake-model', prompt: `Item ${nth}`, max_tokens: 9, stream: true })],
  nth => ['embeddings', JSON.stringify({ model: 'fake-model', input: [`Item ${nth}`, 'another text'] })]
]

interface Tokens { prompt: number, completion: number }

/** Written in the background: asked until it stands still. */
async function usage (caller: Caller): Promise<Tokens> {
  let last = ''
  for (;;) {
    const text = await caller.get('/v1/usage?group=accounting')
    if (text === last) break
    last = text
    await rest(1_500)
  }
  const { totals } = JSON.parse(last) as { totals: { promptTokens: number, completionTokens: number } }
  return { prompt: totals.promptTokens, completion: totals.completionTokens }
}

function journalled (fakes: readonly FakeVllm[], from: readonly number[]): Tokens {
  const entries = fakes.flatMap(({ journal }, at) => journal.slice(from[at]))
    .filter(({ status }) => status === 200)
  return {
    prompt: entries.reduce((sum, { promptTokens }) => sum + (promptTokens ?? 0), 0),
    completion: entries.reduce((sum, { tokensSent }) => sum + tokensSent, 0)
  }
}
