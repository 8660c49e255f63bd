/** Whether two items of a bank, alike enough in their letters, are the same question. */
import type { Item } from '../../../../../shared/contracts/item.ts'
import { compareCodePoints } from '../../../../../shared/text/code-points.ts'
import { leftOverMax, type Numbered } from './blocking.ts'
import { differenceOf, wordingOf, type Difference, type Wording } from './word-difference.ts'

/** What of an item is compared. */
export interface Subject {
  id: string
  question: string
  images: readonly string[]
  choices: ReadonlyArray<{ text: string, imageId?: string | undefined }>
  /** What answers it: the text and image of the keyed choice, or the answer; null for none. */
  key: string | null
}

export function subjectOf ({ id, question, images, choices, answer, answerIndex }: Item): Subject {
  const keyed = choices?.[answerIndex ?? -1]
  return {
    id,
    question,
    images: (images ?? []).map(({ imageId }) => imageId),
    choices: choices ?? [],
    key: keyed === undefined ? answer ?? null : `${keyed.text} ${keyed.imageId ?? ''}`
  }
}

/**
 * What the ratio is of, widths of letters and white space made one: the question, and below it the choices in
 * the order of their code points, so that another order of the same choices is the same text.
 */
export function comparedText ({ question, choices }: Subject, compare: 'question' | 'question-and-choices'): string {
  if (compare === 'question' || choices.length === 0) return spacedOnce(question)
  const texts = choices.map(({ text, imageId }) => spacedOnce(text === '' ? imageId ?? '' : text))
  return [spacedOnce(question), ...texts.sort(compareCodePoints)].join('\n')
}

function spacedOnce (text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ')
}

/** `same`: one of them may go. `ask`: a person has to look; both stay. `apart`: two questions. */
export type Verdict =
  { verdict: 'same', reason: 'copy' | 'choices-permuted' | 'paraphrase' } |
  { verdict: 'ask', reason: string, detail: string } |
  { verdict: 'apart' }

/** A subject with what comparing needs, made once. */
export interface Prepared {
  subject: Subject
  question: Wording
  choices: Wording[]
  /** As a set: sorted, so that equal ones are equal whatever their order. */
  choiceSet: string[]
  key: string | null
}

export function prepared (subject: Subject): Prepared {
  const choices = subject.choices.map(({ text, imageId }) => wordingOf(text === '' ? imageId ?? '' : text))
  return {
    subject,
    question: wordingOf(subject.question),
    choices,
    choiceSet: choices.map(choiceKey).sort(compareCodePoints),
    key: subject.key === null ? null : choiceKey(wordingOf(subject.key))
  }
}

/**
 * Nothing is the same by likeness alone: the stems must say the same in words that are known to, over the
 * same choices with the same key. Where something known turns the question (an opposite, a denial, a number,
 * a unit, roles), or words differ that no list knows, a person is asked; where more differs, it is another
 * question.
 */
export function samenessOf (a: Prepared, b: Prepared): Verdict {
  const choices = choicesDifference(a, b)
  // Other choices: nothing but the same stem with the same key is worth a look.
  if (choices.kind === 'reworded' && (a.key === null || a.key !== b.key)) return { verdict: 'apart' }
  const stem = differenceOf(a.question, b.question)
  const sameKey = a.key === b.key || a.key === null || b.key === null
  if (imagesOf(a) !== imagesOf(b)) {
    return stem.kind === 'same' && choices.kind === 'same'
      ? { verdict: 'ask', reason: 'images-differ', detail: 'The same words with other images.' }
      : { verdict: 'apart' }
  }
  if (stem.kind === 'same' && choices.kind === 'same') {
    if (!sameKey) return { verdict: 'ask', reason: 'keys-differ', detail: `Keyed "${(a.subject.key ?? '').slice(0, 80)}" and "${(b.subject.key ?? '').slice(0, 80)}".` }
    if (a.question.squashed !== b.question.squashed) return { verdict: 'same', reason: 'paraphrase' }
    return { verdict: 'same', reason: orderOf(a) === orderOf(b) ? 'copy' : 'choices-permuted' }
  }
  if (stem.kind === 'turned' || choices.kind === 'turned') return whereTurned(stem, choices)
  if (stem.kind === 'reworded' && choices.kind === 'same') {
    // Over the same choices a word or two may turn a question in a way that no list knows.
    if (!sameKey) return stem.places === 1 && stem.words <= 2 ? { verdict: 'ask', reason: 'words-differ', detail: stem.detail } : { verdict: 'apart' }
    return { verdict: 'ask', reason: 'words-differ', detail: stem.detail }
  }
  if (stem.kind === 'same' && choices.kind === 'reworded' && a.question.words.length > 4) {
    return { verdict: 'ask', reason: 'choices-differ', detail: choices.detail }
  }
  return { verdict: 'apart' }
}

/** Turned and otherwise reworded, it is another question that needs nobody's look. */
function whereTurned (stem: Difference, choices: Difference): Verdict {
  if (stem.kind === 'reworded' || choices.kind === 'reworded') return { verdict: 'apart' }
  const turned = stem.kind === 'turned' ? stem : choices
  return turned.kind === 'turned' ? { verdict: 'ask', reason: turned.reason, detail: turned.detail } : { verdict: 'apart' }
}

/** For blocking: choices and keys as numbers, the rarest choice first. */
export function numbered (subjects: readonly Subject[]): Numbered[] {
  const numbers = new Map<string, number>()
  const counts: number[] = []
  const numberOf = (text: string) => {
    const key = choiceKey(wordingOf(text))
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    counts[number] = (counts[number] ?? 0) + 1
    return number
  }
  const raw = subjects.map(({ choices, key }) => ({
    key: key === null ? -1 : numberOf(key),
    choices: Int32Array.from(choices, ({ text, imageId }) => numberOf(text === '' ? imageId ?? '' : text))
  }))
  const rank = new Int32Array(counts.length)
  const order = [...counts.keys()].sort((a, b) => counts[a]! - counts[b]! || a - b)
  for (const [at, number] of order.entries()) rank[number] = at
  return raw.map(({ key, choices }) => (
    { key: key === -1 ? -1 : rank[key]!, choices: choices.map(number => rank[number]!) }))
}

function imagesOf ({ subject: { images, choices } }: Prepared): string {
  return [...images, '|', ...choices.map(({ imageId }) => imageId ?? '').filter(id => id !== '').sort()].join(' ')
}

function choiceKey ({ squashed, numbers, signs }: Wording): string {
  return `${squashed} ${numbers} ${signs}`
}

function orderOf ({ choices }: Prepared): string {
  return choices.map(choiceKey).join('\n')
}

/** Of choices as a set: equal ones go together, of the rest each with the one most like it. */
function choicesDifference (a: Prepared, b: Prepared): Difference {
  if (a.choices.length !== b.choices.length) return { kind: 'reworded', words: 99, places: 1, detail: `${a.choices.length} and ${b.choices.length} choices.` }
  if (a.choiceSet.every((key, at) => key === b.choiceSet[at])) return { kind: 'same' }
  const left = [...b.choices]
  const rest = a.choices.filter(choice => {
    const at = left.findIndex(other => choiceKey(other) === choiceKey(choice))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  if (rest.length > leftOverMax(a.choices.length)) {
    return a.key === b.key ? otherChoices(rest, left) : { kind: 'reworded', words: rest.length, places: rest.length, detail: `${rest.length} choices differ.` }
  }
  let worst: Difference = { kind: 'same' }
  for (const choice of rest) {
    const differences = left.map(other => differenceOf(choice, other))
    const found: Difference = differences.toSorted((x, y) => weightOf(x) - weightOf(y))[0] ?? worst
    left.splice(differences.indexOf(found), 1)
    if (weightOf(found) > weightOf(worst)) worst = found
  }
  return worst
}

/** Most choices differ: the same only if each is one of the others but for spacing, endings, usual words. */
function otherChoices (rest: readonly Wording[], left: Wording[]): Difference {
  for (const choice of rest) {
    const at = left.findIndex(other => differenceOf(choice, other).kind === 'same')
    if (at < 0) return { kind: 'reworded', words: rest.length, places: rest.length, detail: `${rest.length} choices differ.` }
    left.splice(at, 1)
  }
  return { kind: 'same' }
}

function weightOf (difference: Difference): number {
  return { same: 0, turned: 1, reworded: 2 }[difference.kind]
}
