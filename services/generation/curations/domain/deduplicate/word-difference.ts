/** In what two wordings of a question or an option differ, and whether that changes what is asked. */
import { changesBetween, comparedWordsMax, type Change } from '../../../../../shared/text/word-changes.ts'
import { singular, wordsOf } from '../../../../../shared/text/tokens.ts'
import { keepsRoles, namesAgent } from './same-roles.ts'
import { areOpposite, areSynonyms, denials, frameWords, unitWords } from './word-lists.ts'

/**
 * `same`: nothing, or spacing, punctuation, the words every question has, endings. `turned`: something that
 * makes another question of it, which `reason` names. `reworded`: words that no list knows; `words` on the
 * side that has more of them, in `places` runs.
 */
export type Difference =
  { kind: 'same' } |
  { kind: 'turned', reason: TurnReason, detail: string } |
  { kind: 'reworded', words: number, places: number, detail: string }
export type TurnReason =
  'opposite' | 'negation-differs' | 'number-differs' | 'unit-differs' | 'sign-differs' | 'roles-swapped' | 'too-long'

export interface Wording {
  words: readonly string[]
  /** Words without white space, to tell that nothing but spacing differs. */
  squashed: string
  numbers: string
  signs: string
}

const marker = /^\s*(?:(?:[①-⑳]|\(?(?:\d{1,3}|[A-Ha-h]|[가나다라마])\)|(?:Q\.? ?)?\d{1,3} ?\.|[A-Ha-h]\.|[ㄱ-ㅎ]\.)\s+){1,2}/u
const mathSign = /[<>≤≥=≠+×÷±∝↑↓→←⇒∞∫√°%‰^∂∇ΔΣ]/gu
const setPhrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bmost (appropriate|suitable|accurate|correct|valid)(?:ly)?\b/gu, '$1'], [/(\d),(?=\d{3}(?!\d))/gu, '$1'], [/어느 것/gu, '어느것'],
  [/\bwhat (?:is|was) the (?:([a-z]+) )?reason (?:that|why|for which)\b/giu, 'why $1'], [/\bfor (?:what|which) reason\b/giu, 'why'], [/\babove all\b/giu, 'mainly']
]

/** What of a text is compared; made once where it is compared with many. */
export function wordingOf (text: string): Wording {
  let plain = text.normalize('NFC').replace(marker, '').normalize('NFKC').replaceAll('−', '-').replaceAll(/\s+/gu, ' ')
  for (const [pattern, to] of setPhrases) plain = plain.replaceAll(pattern, to)
  const words = wordsOf(plain).map(({ text: word }) => foldCase(word))
  return {
    words,
    squashed: words.join(''),
    numbers: (plain.match(/(?<![\p{L}\p{N}])-?\d+(?:\.\d+)?/gu) ?? []).join(' '),
    signs: (plain.match(mathSign) ?? []).join('')
  }
}

/** Symbols keep their case: Pa and pA, T and t. */
function foldCase (word: string): string {
  const lower = word.toLowerCase()
  return /^[A-Za-z]{1,2}$/u.test(word) && !frameWords.has(lower) && word !== lower && !/^(?:in|to|if|no|so|up)$/u.test(lower) ? word : lower
}

export function differenceOf (one: Wording, other: Wording): Difference {
  if (one.numbers !== other.numbers) return turned('number-differs', one.numbers, other.numbers)
  if (one.signs !== other.signs) return turned('sign-differs', one.signs, other.signs)
  if (one.squashed === other.squashed) return { kind: 'same' }
  if (Math.max(one.words.length, other.words.length) > comparedWordsMax) {
    return { kind: 'turned', reason: 'too-long', detail: `One has more than ${comparedWordsMax} words.` }
  }
  const changes = changesBetween(one.words, other.words)
    .map(change => ({ from: spaced(change, 'from'), to: spaced(change, 'to') }))
    .filter(({ from, to }) => from.join('') !== to.join(''))
  if (denials(one.words) !== denials(other.words)) {
    return turned('negation-differs', textOf(changes, 'from'), textOf(changes, 'to'))
  }
  moveClauses(changes)
  for (const change of changes) {
    const fault = turnOf(change)
    if (fault !== undefined) return fault
  }
  return restOf(changes, [one.words, other.words])
}

const opensClause = new Set(`in at on during when while within near under over for between across along if as after before above below with without
from to by every per inside outside through throughout around about among amid against behind beneath beside besides beyond into onto upon toward towards until till
since via despite where whenever wherever once`.split(/\s+/u))

/**
 * A clause that stands at another place, its preposition with it ("in fog, what …", "what … in fog"), or a
 * Korean noun with the particle that tells its part, changes nothing: taken away on both sides.
 */
function moveClauses (changes: readonly Run[]): void {
  for (const run of changes) {
    for (let at = 0; at < run.from.length; at++) {
      const target = changes.find(({ to }) => lengthIn(to, run.from.slice(at)) > 0)
      const length = target === undefined ? 0 : lengthIn(target.to, run.from.slice(at))
      let clause = run.from.slice(at, at + length)
      while (clause.length > 0 && !isClause(clause)) clause = clause.slice(0, -1)
      if (target === undefined || clause.length === 0) continue
      target.to.splice(placeIn(target.to, clause), clause.length)
      run.from.splice(at, clause.length)
      at--
    }
  }
}

function isClause (words: readonly string[]): boolean {
  const [first = ''] = words
  // A compound tells its part by its last word; what stands before goes with it.
  if (/^[가-힣]/u.test(first)) return marksItsPart.has(stemmed(words.at(-1)!).role)
  return words.length > 1 && opensClause.has(first) &&
    words.some(word => !isFrame(word) && !opensClause.has(word))
}

const marksItsPart = new Set(['than', 'from', 'to', 'by', 'in', 'subject', 'object', 'with', 'each', 'like'])

/** How many of the first words stand in a row in a list. */
function lengthIn (list: readonly string[], words: readonly string[]): number {
  let length = 0
  while (length < words.length && placeIn(list, words.slice(0, length + 1)) >= 0) length++
  return length
}

function placeIn (list: readonly string[], words: readonly string[]): number {
  return list.findIndex((_, at) => words.every((word, i) => list[at + i] === word))
}

interface Run { from: string[], to: string[] }
type Words = readonly string[]

function spaced (change: Change, side: 'from' | 'to'): string[] {
  return change[side].split(' ').filter(word => word !== '')
}

function textOf (changes: readonly Run[], side: 'from' | 'to'): string {
  return changes.flatMap(change => change[side]).join(' ')
}

function turned (reason: TurnReason, from: string, to: string): Difference {
  return { kind: 'turned', reason, detail: `"${from.slice(0, 80)}" against "${to.slice(0, 80)}"` }
}

function turnOf ({ from, to }: Run): Difference | undefined {
  const [a, b] = [from.join(' '), to.join(' ')]
  if (denials(from) !== denials(to)) return turned('negation-differs', a, b)
  const pairs = from.flatMap(word => to.map((other): [string, string] => [word, other]))
  if (pairs.some(([word, other]) => areOpposite(word, other) || areOpposite(bare(word), bare(other)))) return turned('opposite', a, b)
  if (from.some(isUnit) && to.some(isUnit)) return turned('unit-differs', a, b)
  // What stands before the words every question has is what is asked for: "영향을 고르면", "영향으로 옳은 것은".
  const asked = [...from, ...to].filter((word, at, all) =>
    at !== from.length - 1 && all[at + 1] !== undefined && isFrame(all[at + 1]!))
  if (pairs.some(([word, other]) => !asked.includes(word) && !asked.includes(other) && otherParticle(word, other))) return turned('roles-swapped', a, b)
  return undefined
}

/** Words that are left once those that mean nothing are taken away on both sides. */
function restOf (changes: readonly Run[], [one, other]: readonly [Words, Words]): Difference {
  const left: Run[] = []
  for (const { from, to } of changes) {
    // As often on both sides: "옳지 않은", "틀린".
    const says = (word: string) => !isFrame(word) && denials([word]) === 0 && !/^(?:옳지|맞지|적절하지|거리가)$/u.test(word)
    const rest = { from: from.filter(says), to: to.filter(says) }
    for (const word of [...rest.from]) {
      const at = rest.to.findIndex(other => sameWord(word, other))
      if (at < 0) continue
      rest.to.splice(at, 1)
      rest.from.splice(rest.from.indexOf(word), 1)
    }
    if (rest.from.length + rest.to.length > 0) left.push(rest)
  }
  const [from, to] = [left.flatMap(run => run.from), left.flatMap(run => run.to)]
  const moved = from.filter(word => {
    const at = to.findIndex(other => sameWord(word, other))
    if (at >= 0) to.splice(at, 1)
    return at >= 0
  })
  const words = from.filter(word => !moved.includes(word))
  if (words.length + to.length > 0) {
    return { kind: 'reworded', words: Math.max(words.length, to.length), places: left.length, detail: `"${words.join(' ').slice(0, 80)}" against "${to.join(' ').slice(0, 80)}"` }
  }
  // The same words and nothing else: "A exceeds B", "B exceeds A"; "does A move B", "is A moved by B".
  const mayTurn = moved.length > 0 || namesAgent(one) !== namesAgent(other)
  return mayTurn && !keepsRoles(one, other, { same: sameWord, isFrame }) ? turned('roles-swapped', textOf(changes, 'from'), textOf(changes, 'to')) : { kind: 'same' }
}

/** With a Korean particle or without. */
function isUnit (word: string): boolean {
  return unitWords.has(word.toLowerCase().replace(/[가-힣]+$/u, ''))
}

function isFrame (word: string): boolean {
  return frameWords.has(word) || frameWords.has(bare(word))
}

function sameWord (one: string, other: string): boolean {
  if (one === other || areSynonyms(one, other) || areSynonyms(bare(one), bare(other))) return true
  const [a, b] = [bare(one), bare(other)]
  return a === b || slipOf(a, b)
}

/** A letter doubled or two changed places; a letter in place of another may be another word. */
function slipOf (a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 5 || !/^[a-z]+$/u.test(a) || !/^[a-z]+$/u.test(b)) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  if (a.length === b.length) {
    return a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2)
  }
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.length - short.length === 1 && long[start] === long[start - 1] &&
    long.slice(start + 1) === short.slice(start)
}

/** Which part a Korean noun plays; the same particle in another form (은, 는) plays the same. */
const particles: ReadonlyArray<readonly [string, RegExp]> = [
  ['verb', /(?:하였|했|되었|됐)(?:을|던|다|고|으며|으면|는데|는지|었다)$/u],
  ['each', /마다$/u], ['to', /(?:에게|한테|께)$/u], ['like', /(?:처럼|만큼|대로)$/u], ['than', /보다(?:는|도)?$/u], ['from', /(?:부터|에서부터)$/u], ['to', /까지$/u], ['by', /(?:으로써|으로|로써|로)(?:의|는)?$/u],
  ['in', /(?:에서|에)(?:의|는)?$/u], ['subject', /(?:이란|란|은|는|이|가)$/u], ['object', /[을를]$/u], ['with', /[와과]$/u], ['of', /의$/u],
  // Of nouns made verbs: tense, mood and what they depend on are said by the words of the frame.
  ['verb', /(?:(?:하였|했|하|되었|됐|되)(?:다|을|던|는|면|여|고|며|지|기|었다|도록|려는|려고|려면|는데|므로|면서)|하였|한다|한|할|함|해|해서|된다|된|될|됨|돼|이다|인)$/u]
]

interface Stemmed { stem: string, role: string }

function stemmed (word: string): Stemmed {
  if (!/^[가-힣]{2,}/u.test(word)) return { stem: singular(word.replace(/['’]s$/u, '')), role: '' }
  for (const [role, ending] of particles) {
    const stem = word.replace(ending, '')
    if (stem !== word && stem.length >= 1) return { stem, role }
  }
  return { stem: word, role: '' }
}

/** The stem: particles and endings of verbs cut. */
function bare (word: string): string {
  const { stem } = stemmed(word)
  if (!/^[a-z]{5,}$/u.test(stem)) return stem
  const cut = stem.replace(/(?:ing|ed|ly|e)$/u, '')
  return cut.length < 3 ? stem : cut
}

const tellsARole = new Set(['than', 'from', 'to', 'subject', 'object', 'by'])

function otherParticle (one: string, other: string): boolean {
  if (isFrame(one) || isFrame(other)) return false
  const [a, b] = [stemmed(one), stemmed(other)]
  return a.stem === b.stem && a.role !== b.role && tellsARole.has(a.role) && tellsARole.has(b.role)
}
