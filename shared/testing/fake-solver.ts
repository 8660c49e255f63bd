/**
 * A model that answers questions, of a known character: what it can tell from what it is shown, and how
 * it guesses where it cannot. Its `reply` fits a fake vLLM, and any stand-in for inference.
 */
import { createHash } from 'node:crypto'

/** What there is to know of an item. */
export interface Known {
  question: string
  /** Texts of the choices; Yes and No of a yes/no question. */
  choices: readonly string[]
  right: string
  /** The answer follows from any one of these, wherever the prompt shows it; images by their data URL. */
  tells: readonly string[]
  /** It can be told from question and choices alone. */
  leaky?: boolean
}

/** Each a probability; what is left of one is shared out by the next, and at last by chance. */
export interface Habits {
  family: string
  /** To find the answer where it can be told. */
  skill: number
  /** To take what all families would: a shared hunch of the item. */
  herd?: number
  /** To take what the family would, always the same for an item. */
  fixed?: number
  /** To take the choice shown first; of yes/no questions, Yes. */
  first?: number
}

type Body = Record<string, any>

/** @param habitsOf  by the name of the model */
export function fakeSolver (
  items: readonly Known[], habitsOf: Readonly<Record<string, Habits>>
): (body: Body) => string {
  const byChoices = new Map(items.map(item => [keyOf(item.choices), item]))
  const byQuestion = new Map(items.map(item => [item.question, item]))
  return body => {
    const { prompt, images } = promptOf(body)
    const question = between(prompt, 'question')
    const shown = choicesIn(prompt)
    const item = byQuestion.get(question) ?? byChoices.get(keyOf(shown))
    if (item === undefined) return 'I have never heard of this.\nAnswer: Z'
    const habits = habitsOf[String(body.model)]!
    const material = `${between(prompt, 'paper')}\n${images.join('\n')}`
    const knows = item.leaky === true || item.tells.some(text => material.includes(text))
    const said = choose(item, { habits, knows, shown, asked: `${prompt}\n${images.join()}\n${body.model}` })
    const letter = shown.indexOf(said)
    return `It seems so.\nAnswer: ${letter < 0 || item.choices.includes('Yes') ? said : String.fromCharCode(65 + letter)}`
  }
}

interface Asked { habits: Habits, knows: boolean, shown: readonly string[], asked: string }

function choose (item: Known, { habits, knows, shown, asked }: Asked): string {
  const { family, skill, herd = 0, fixed = 0, first = 0 } = habits
  const taking = (...words: string[]) => item.choices[Math.floor(draw(...words) * item.choices.length)]!
  if (knows && draw(asked, 'skill') < skill) return item.right
  let left = draw(asked, 'habit')
  if ((left -= herd) < 0) return taking(item.question, 'herd')
  if ((left -= fixed) < 0) return taking(item.question, family, 'fixed')
  if ((left -= first) < 0) return item.choices.includes('Yes') ? 'Yes' : shown[0] ?? item.choices[0]!
  return taking(asked, 'chance')
}

/** In [0, 1): the same for the same words. */
export function draw (...words: string[]): number {
  return Number.parseInt(createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 12), 16) / 2 ** 48
}

function promptOf ({ messages }: Body): { prompt: string, images: string[] } {
  const parts = (messages as Body[]).flatMap(({ content }) => typeof content === 'string' ? [{ text: content }] : content as Body[])
  return { prompt: parts.map(({ text = '' }) => String(text)).join('\n'), images: parts.flatMap(({ image_url: image }) => image?.url ?? []) }
}

/** Between the last such tags: earlier ones may stand in the instructions. */
function between (text: string, name: string): string {
  const start = text.lastIndexOf(`<${name}>`)
  const end = text.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? '' : text.slice(start + name.length + 2, end).trim()
}

function choicesIn (prompt: string): string[] {
  return between(prompt, 'choices').split('\n').filter(line => line !== '').map(line => line.replace(/^[A-Z]\. /u, ''))
}

const keyOf = (choices: readonly string[]) => [...choices].sort().join('\n')
