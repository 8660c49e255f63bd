/**
 * A model for every step of the walk, for who has none: it writes items, judges and rewrites them, and
 * answers questions. Its items are made of the sentences it is shown, and so pass the checks; its
 * scores and answers are drawn from the request, and mean nothing. Same request, same reply.
 */
import { askedOf, fakeAuthor, manners, sentencesOf, type Manner } from './fake-author.ts'
import { itemAuthors } from './fake-item-authors.ts'
import { fakeJudge } from './fake-judge.ts'
import { characters, fakeReviewer, type Character } from './fake-reviewer.ts'

/** `author` does as it is told; the others do it badly, in the manner of their names. */
export const personas = ['author', ...manners.filter(manner => manner !== 'good')] as const
export type Persona = typeof personas[number]

type Body = Record<string, unknown>

/** @returns for `reply` of the fake; null (words made up by the fake) where it does not know what is asked */
export function fakePersona (persona: Persona): (body: Body) => string | null {
  const manner: Manner = persona === 'author' ? 'good' : persona as Manner
  const author = fakeAuthor({ authors: itemAuthors, mannerOf: () => manner })
  const reviewer = fakeReviewer(reviewers[manner])
  const judge = fakeJudge(() => ({ quality: manner === 'good' ? wordiness : () => 5, noise: manner === 'good' ? 0.5 : 0 }))
  return body => {
    const { fields, isList } = askedOf(body)
    if (fields.length === 0) return manner === 'refusing' ? refusal : answerTo(body)
    if (isList) return author(body)
    const reply = judges.has(manner) ? judge(body) ?? reviewer(body) : reviewer(body)
    return manner === 'truncated' ? reply.slice(0, Math.floor(reply.length * 0.6)) : reply
  }
}

/** The others answer a judge's question as they do a reviewer's. */
const judges: ReadonlySet<Manner> = new Set(['good', 'lazy', 'hostile', 'truncated'])

/** Something to tell replies apart by: 2 for a word, 4 for a sentence or two. */
function wordiness (reply: string): number {
  return Math.max(1, Math.min(4, 1 + Math.log2(1 + reply.split(/\s+/u).length) / 1.5))
}

/** The good one calls about seven items in ten good, and has the others mended. */
const reviewers: Record<Manner, Character> = {
  good: characters.stochastic(() => 4.3, 0.5),
  lazy: characters.constant(5),
  malformed: characters.malformed,
  truncated: characters.constant(5),
  refusing: characters.refusing,
  hostile: characters.hostile
}

const refusal = 'I am sorry, but I can\'t help with that.'

/** One of the options that the prompt offers, or a sentence of the paper. */
function answerTo (body: Body): string | null {
  const { prompt, pick, tag } = askedOf(body)
  const letters = [...tag('choices').matchAll(/^([A-Z])[.)]/gmu)].map(([, letter]) => letter)
  const options = letters.length > 0 ? letters : /Answer: No/u.test(prompt) ? ['Yes', 'No'] : []
  if (options.length > 0) return `Answer: ${options[pick('answer', options.length)]}`
  const sentences = sentencesOf({ tag: name => name === 'text' ? tag('paper') : '' })
  return sentences.length === 0 ? null : sentences[pick('answer', sentences.length)]!
}
