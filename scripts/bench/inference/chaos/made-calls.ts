/**
 * Calls of every kind that a proxy has to end somehow: answered, failed by a server that was told to,
 * left by their caller, shared, recorded. What a call is to meet stands in its text, where the fake reads it.
 */
import type { Entry } from '../../../../shared/testing/fake-vllm/journal.ts'
import { seededRandom, type Random } from '../../../../shared/testing/random.ts'

/** What the calls of a group have in common, as `viva-group`. */
export const groups = ['clean', 'flaky', 'broken', 'shared', 'recorded', 'left'] as const
export type Group = (typeof groups)[number]

export interface MadeCall {
  group: Group
  path: string
  body: string
  headers: Record<string, string>
  /** Whether the answer is a stream. */
  stream: boolean
  /** When its caller leaves. */
  leaveAfterMs: number | null
}

/** Cut, delayed or dressed otherwise, and whole. */
const harmless = ['split:utf8', 'split:crlf', 'merge:3', 'many_empty:5', 'comment_ping', 'crlf_lines', 'no_done', '1xx', 'slow_first:300', 'stall:3,400', 'continuous_usage']
/** No answer is there before something fails: another attempt may have it. */
const passing = ['hang_up', 'status:500', 'status:503;retry_after:1', 'status:429;retry_after:1', 'err_first', 'done_only', 'half_headers', 'rst:0']
/** After the first byte, or nothing that another attempt would mend. */
const damaging = ['rst:4', 'fin:4', 'no_finish', 'err_frame:3,500', 'bad_json:3', 'json_tail:3', 'html_200', 'gzip_body', 'wrong_content_length', 'ctx_len', 'status:400', 'status:404', 'oversize_headers:80', 'unterminated:2000000']

const words = 'The model is asked whether the paper says so; the paper says it in so many words. '

interface Making { seed: number, nth: number }

/** The call `nth` of a seed is the same each time. */
export function madeCall ({ seed, nth }: Making): MadeCall {
  const random = seededRandom(seed * 1_000_003 + nth)
  const group = groupOf(random)
  const stream = random.chance(0.5)
  const id = `${seed}-${idOf(group, nth)}`
  const text = `${group} ${id} [${tagOf(group, random)}] ${words.repeat(random.whole(1, 12))}`
  const maxTokens = random.whole(8, 40)
  // Equal calls must be equal in all they hold.
  const shared = group === 'shared' || group === 'recorded'
  const ask = shared ? `${group} ${id} [ok] ${words}` : text
  const plain = !shared && random.chance(0.15)
  const form = { model: 'fake-model', temperature: 0, max_tokens: shared ? 24 : maxTokens, ignore_eos: true }
  const extra = shared || random.chance(0.7) ? {} : { n: 2, temperature: 1 }
  const isStream = shared ? Number(idOf(group, nth)) % 2 === 0 : stream
  return {
    group,
    path: plain ? '/v1/completions' : '/v1/chat/completions',
    body: JSON.stringify({
      ...form,
      ...plain ? { prompt: ask } : { messages: [{ role: 'user', content: ask }], ...extra },
      ...isStream && { stream: true }
    }),
    headers: {
      'viva-caller': `caller-${nth % 7}`,
      'viva-group': group,
      ...group === 'recorded' && { 'viva-replay': 'replay-or-record' }
    },
    stream: isStream,
    leaveAfterMs: group === 'left' ? random.whole(0, 6_000) : null
  }
}

function groupOf (random: Random): Group {
  const share = random.next()
  if (share < 0.5) return 'clean'
  if (share < 0.56) return 'flaky'
  if (share < 0.66) return 'broken'
  if (share < 0.76) return 'shared'
  if (share < 0.86) return 'recorded'
  return 'left'
}

/** Eight or so in a row are one; of the recorded ones a hundred come again and again. */
function idOf (group: Group, nth: number): number {
  if (group === 'shared') return Math.floor(nth / 100)
  return group === 'recorded' ? nth % 100 : nth
}

function tagOf (group: Group, random: Random): string {
  if (group === 'broken') return random.pick(damaging)
  if (group === 'flaky') return `once ${random.pick(passing)}`
  return random.chance(0.2) ? random.pick(harmless) : 'ok'
}

/** What a fake does with such calls; "once" is for the first request of a call. */
export function behaviour (): (entry: Entry) => readonly string[] {
  const seen = new Set<string>()
  return ({ body }) => {
    const [, group, id, once, steps = 'ok'] = /^(\w+) ([\d-]+) \[(once )?([^\]]+)\]/.exec(textOf(body)) ?? []
    if (once !== undefined) {
      if (seen.has(`${group} ${id}`)) return ['ok']
      seen.add(`${group} ${id}`)
    }
    return steps.split(';')
  }
}

export function textOf ({ messages, prompt }: Record<string, unknown>): string {
  return typeof prompt === 'string' ? prompt : String((messages as Array<{ content: string }> | undefined)?.[0]?.content)
}

/** Group and number of a call, from its text or body: the same for equal calls. */
export function callNameIn (text: string): string {
  return /(?:clean|flaky|broken|shared|recorded|left) [\d-]+/.exec(text)?.[0] ?? ''
}
