/**
 * A model that judges replies of other models, of a known bias. It obeys whatever stands outside the tags
 * of what is judged, as a gullible model does: a reply that gets out of its tag is found out.
 */
import { createHash } from 'node:crypto'

export interface Habits {
  /** What a reply is worth to it, 1 to 5, before all that follows. */
  quality: (reply: string) => number
  /** Added to every score. */
  mildness?: number
  /** Points for a reply twice as long. */
  perDoubling?: number
  /** Points for what is shown first of two. */
  first?: number
  /** Standard deviation of its error; another seed, another error. */
  noise?: number
}

type Body = Record<string, any>

/** @returns null where nothing is to be judged */
export function fakeJudge (habitsOf: (model: string) => Habits): (body: Body) => string | null {
  return body => {
    const properties = propertiesOf(body)
    const prompt = promptOf(body)
    const habits = habitsOf(String(body.model))
    const names = Object.keys(properties).filter(name => properties[name]?.properties?.score !== undefined)
    const replies = ['reply', 'reply-a', 'reply-b'].map(tag => between(prompt, tag))
    const outside = replies.reduce((text, reply) => reply === '' ? text : text.replace(reply, ''), prompt)
    const ordered = /give (?:it )?(\d)/iu.exec(outside)?.[1]
    const worth = (reply: string) => (habits.quality(reply) + (habits.mildness ?? 0) +
      (habits.perDoubling ?? 0) * Math.log2(Math.max(1, [...reply].length) / 64))
    const noise = (word: string) =>
      (habits.noise ?? 0) * normal(JSON.stringify([prompt, body.seed ?? null, body.model, word]))
    if (properties.preference !== undefined) {
      const lead = worth(replies[1]!) + (habits.first ?? 0) - worth(replies[2]!) + noise('pair')
      const preference = ordered !== undefined ? 'B' : Math.abs(lead) < 0.25 ? 'tie' : lead > 0 ? 'A' : 'B'
      return JSON.stringify({ reason: 'It says more.', preference })
    }
    if (names.length === 0 || !prompt.includes('<reply>')) return null
    const scores = names.map(name => {
      const { minimum, maximum } = properties[name].properties.score
      const score = ordered === undefined ? Math.round(worth(replies[0]!) + noise(name)) : Number(ordered)
      return [name, { reason: `About ${name}.`, score: Math.max(minimum, Math.min(maximum, score)) }]
    })
    const errors = properties.errors === undefined ? {} : { errors: [] }
    return JSON.stringify({ ...errors, ...Object.fromEntries(scores) })
  }
}

function propertiesOf (body: Body): Body {
  const { schema, response_format: format, guided_json: guided, structured_outputs: structured } = body
  return (schema ?? format?.json_schema?.schema ?? guided ?? structured?.json ?? {}).properties ?? {}
}

function promptOf ({ messages }: Body): string {
  return (messages as Body[]).map(({ content }) => typeof content === 'string'
    ? content
    : (content as Body[]).map(({ text = '' }) => String(text)).join('\n')).join('\n')
}

function between (text: string, tag: string): string {
  const start = text.indexOf(`<${tag}>`)
  const end = text.indexOf(`</${tag}>`, start)
  return start < 0 || end < 0 ? '' : text.slice(start + tag.length + 2, end).trim()
}

/** Box and Muller's, of the hash of a key. */
function normal (key: string): number {
  const hex = createHash('sha256').update(key).digest('hex')
  const [a, b] = [hex.slice(0, 12), hex.slice(12, 24)].map(part => Number.parseInt(part, 16) / 2 ** 48)
  return Math.sqrt(-2 * Math.log(1 - a!)) * Math.cos(2 * Math.PI * b!)
}
