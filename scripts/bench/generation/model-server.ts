/**
 * The model server of these benches, in a process of its own: a fake vLLM of fixed latency that writes
 * and reviews. Told by one JSON argument; its ledger goes to the parent when that asks for it.
 *
 * What it says follows from the request alone, poor replies among them. What it fails at is a fault of
 * the server, once for a request at most, and never a reply: whoever asks again is answered as ever.
 */
import { createHash } from 'node:crypto'
import { fakeAuthor, type Manner } from '../../../shared/testing/fake-author.ts'
import { itemAuthors } from '../../../shared/testing/fake-item-authors.ts'
import { characters, fakeReviewer } from '../../../shared/testing/fake-reviewer.ts'
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import type { Entry } from '../../../shared/testing/fake-vllm/journal.ts'
import type { Behaviour } from '../../../shared/testing/fake-vllm/plan.ts'

export interface ModelOptions {
  /** Until a whole reply. */
  latencyMs: number
  slots: number
  /** Share of replies that are truncated, fenced, lazy or refusals. */
  poorShare: number
  /** Share of requests that meet a fault of the server the first time they come. */
  faultShare: number
}

/** One request; times are milliseconds since 1970, the same in all processes of this machine. */
export interface Answered {
  /** Of the body. */
  sha: string
  from: number
  to: number | null
  /** Status 200 and every byte, to the end. */
  whole: boolean
  fault: string | null
}

const { latencyMs, slots, poorShare, faultShare } = JSON.parse(process.argv[2] ?? '{}') as ModelOptions

/** In [0, 1), from a text alone. */
function drawn (...words: string[]): number {
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32LE() / 2 ** 32
}

const manners: Manner[] = ['truncated', 'lazy', 'refusing', 'malformed']
const author = fakeAuthor({
  authors: itemAuthors,
  mannerOf: ({ seed, prompt }) => drawn('manner', String(seed), prompt) < poorShare / 2
    ? manners[Math.floor(drawn('which', String(seed), prompt) * manners.length)]!
    : 'good'
})
const reviewer = fakeReviewer(characters.stochastic(({ draw }) => draw('quality') < 0.25 ? 3 : 4.6, 0.3))

function reply (body: Record<string, unknown>): string | null {
  const text = body['model'] === 'reviewer' ? reviewer(body) : author(body)
  const draw = drawn('form', String(text), String(body['seed']))
  if (text === null || draw >= poorShare) return text
  const isCut = body['model'] === 'reviewer' && draw < poorShare / 4
  return isCut ? text.slice(0, Math.floor(text.length * 0.7)) : `Here it is:\n\n\`\`\`json\n${text}\n\`\`\``
}

const faults: Behaviour[] = [
  'status:429', ['status:429', 'retry_after:1'], 'status:500', 'status:503', '500_once', 'rst', 'fin', 'hang_up',
  'bad_json', 'html_200', 'never'
]
const met = new Set<string>()

function behave ({ bodySha }: Entry): Behaviour {
  if (bodySha === null || met.has(bodySha) || faultShare === 0) return 'ok'
  met.add(bodySha)
  return drawn('fault', bodySha) < faultShare ? faults[Math.floor(drawn('kind', bodySha) * faults.length)]! : 'ok'
}

const fake = await fakeVllm({
  models: ['writer', 'reviewer'],
  ttftMs: latencyMs,
  maxNumSeqs: slots,
  maxModelLen: 32_768,
  reply,
  behave
})
process.on('message', () => {
  process.send?.(fake.journal.map(({ bodySha, receivedAt, endedAt, endedBy, status, scripts }): Answered => ({
    sha: bodySha ?? '',
    from: receivedAt,
    to: endedAt,
    whole: endedBy === 'server' && status === 200 && scripts.length === 0,
    fault: scripts[0] ?? null
  })))
})
process.once('disconnect', () => process.exit(1))
process.stdout.write(`${JSON.stringify({ url: fake.url })}\n`)
