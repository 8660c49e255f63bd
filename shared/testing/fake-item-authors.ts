/**
 * What a model would write of the kinds `binary` and `choice`, and of questions without an answer:
 * further authors of the fake (`fakeAuthor({authors: itemAuthors})`). They write from the sentences that
 * the prompt shows, a number of each taken for its fact.
 */
import { numbersIn } from '../text/facts.ts'
import { comparatives, directions } from '../text/opposites.ts'
import { sentencesOf, type Author, type AuthorAsked } from './fake-author.ts'

const has = ({ fields }: AuthorAsked, ...names: string[]) => names.every(name => fields.includes(name))

function countOf ({ prompt }: AuthorAsked): number {
  return Number(/Write (\d+) (?:pairs|questions)/u.exec(prompt)?.[1] ?? 1)
}

interface Fact { sentence: string, start: number, end: number, digits: string, value: number }

/** Sentences with a number of their own, from a start that the request decides. */
function factsOf (asked: AuthorAsked): Fact[] {
  const facts = sentencesOf(asked).flatMap((sentence): Fact[] => numbersIn(sentence.replace(/\b(?:Figure|Fig\.|Table) \d+/gu, found => found.replaceAll(/\d/gu, '§'))).slice(0, 1)
    .map(({ text, start, end, value = 0 }) => ({ sentence, start, end, digits: text, value })))
  const start = facts.length === 0 ? 0 : asked.pick('fact', facts.length)
  return [...facts.slice(start), ...facts.slice(0, start)]
}

/** Other values of the same look, none of them in the text. */
function othersOf ({ digits, value }: Fact, { prompt }: AuthorAsked, count: number): string[] {
  const decimals = /[.](\d+)$/u.exec(digits)?.[1]?.length ?? 0
  const others: string[] = []
  for (let step = 1; others.length < count && step < 14; step++) {
    const other = (value * (value > 60 ? 1 - 0.07 * step : 1 + 0.17 * step)).toFixed(decimals)
    if (Number(other) !== value && !others.includes(other) && !prompt.includes(other)) others.push(other)
  }
  return others
}

const labelOf = ({ tag }: AuthorAsked) => /^(?:Figure|Table) \d+/u.exec(tag('caption'))?.[0] ?? 'this part'

const claimOf = (sentence: string) =>
  (/^[A-Z][a-z]/u.test(sentence) ? sentence[0]!.toLowerCase() + sentence.slice(1) : sentence).replace(/[.。]$/u, '')

const replaced = ({ sentence, start, end }: Fact, digits: string): string =>
  sentence.slice(0, start) + digits + sentence.slice(end)

/** Sentences in which one word says what is higher, rises or falls, and the same the other way round. */
function turnedOf (asked: AuthorAsked): Array<{ sentence: string, other: string }> {
  return sentencesOf(asked).flatMap(sentence => {
    const words = sentence.split(' ')
    const at = words.findIndex(word => directions.has(word) || comparatives.has(word))
    const opposite = directions.get(words[at] ?? '') ?? comparatives.get(words[at] ?? '')
    return opposite === undefined ? [] : [{ sentence, other: words.with(at, opposite.word).join(' ') }]
  })
}

/** By turns with another number and the other way round. */
export const pairAuthor: Author = asked => {
  if (!has(asked, 'yes', 'no')) return undefined
  const label = labelOf(asked)
  const numbers = factsOf(asked).flatMap(fact => othersOf(fact, asked, 1).map(digits =>
    ({ sentence: fact.sentence, other: replaced(fact, digits) })))
  const turned = turnedOf(asked)
  const drafts = Array.from({ length: Math.max(numbers.length, turned.length) }, (_, i) =>
    [numbers[i], turned[i]].filter(draft => draft !== undefined)).flat()
  const items = drafts.flatMap(({ sentence, other }) => {
    const questionOf = (text: string) => `Regarding ${label}, does the paper report that ${claimOf(text)}?`
    const yes = questionOf(sentence)
    return asked.tag('earlier').includes(yes) ? [] : [{ quotes: [sentence], yes, no: questionOf(other) }]
  }).slice(0, countOf(asked))
  return items.length === 0 ? undefined : { items }
}

/** The number of a sentence, with its unit, is asked for. */
export const choiceAuthor: Author = asked => {
  if (!has(asked, 'right', 'distractors')) return undefined
  const items = factsOf(asked).flatMap(fact => {
    const others = othersOf(fact, asked, 3)
    const question = `Which number completes this statement of the paper: “${claimOf(replaced(fact, '…'))}”?`
    return others.length < 3 || asked.tag('earlier').includes(question)
      ? []
      : [{ quotes: [fact.sentence], question, right: fact.digits, distractors: others, rationale: `The paper has ${fact.digits}.` }]
  }).slice(0, countOf(asked))
  return items.length === 0 ? undefined : { items }
}

const unheard = ['humidity', 'price', 'loudness', 'taxation', 'colourblindness', 'seismicity', 'payroll', 'franchise']

/** Things that no paper of ours speaks of, asked of what a sentence is about. */
export const unanswerableAuthor: Author = asked => {
  if (!has(asked, 'missing')) return undefined
  const choice = has(asked, 'options')
  const items = sentencesOf(asked).slice(0, countOf(asked)).map((sentence, i) => {
    const missing = unheard[(asked.pick('missing', unheard.length) + i) % unheard.length]!
    const about = claimOf(sentence).split(' ').slice(0, 5).join(' ')
    const question = `What ${missing} was found where “${about}” holds?`
    return choice
      ? { quotes: [sentence], question, missing, options: ['12 units', '25 units', '37 units'], rationale: `Nothing is said of the ${missing}.` }
      : { quotes: [sentence], said: sentence, question, missing }
  })
  return items.length === 0 ? undefined : { items }
}

export const falsePremiseAuthor: Author = asked => {
  if (!has(asked, 'premise')) return undefined
  const choice = has(asked, 'options')
  const items = factsOf(asked).flatMap(fact => {
    const [other] = othersOf(fact, asked, 1)
    if (other === undefined) return []
    const premise = replaced(fact, other)
    // In the order of the words a long question would stand in the answer.
    const words = claimOf(premise).split(' ').reverse().join(' ')
    const item = { quotes: [fact.sentence], fact: fact.sentence, premise, question: `Why does the paper say (backwards): ${words}?` }
    return [choice ? { ...item, options: ['By design', 'By chance', 'By error'], rationale: 'The paper has another number.' } : item]
  }).slice(0, countOf(asked))
  return items.length === 0 ? undefined : { items }
}

export const itemAuthors: readonly Author[] = [
  pairAuthor, choiceAuthor, falsePremiseAuthor, unanswerableAuthor
]
