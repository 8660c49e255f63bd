/**
 * Numbers of questions and their answers in the text of a key. What may be read in two ways is left out, so
 * that its question has no answer rather than another's.
 */

type Token =
  { kind: 'number', value: number, isMarked: boolean } | { kind: 'answer', value: string } |
  { kind: 'range', from: number, to: number } | { kind: 'label' | 'or' | 'word' }
type Pair = [number: number, answer: string]

const token = new RegExp([
  '(?<range>(\\d{1,3})\\s*번?\\s*[-~∼～–]\\s*(\\d{1,3})(?!\\d))',
  '(?<answer>[①-⑩]|(?<![A-Za-z])[A-Ja-j](?![A-Za-z]))',
  '(?<number>(\\d{1,3})(?!\\d)\\s*([.:)번문])?)',
  '(?<label>(?<!\\p{L})(?:정답|답|번호|문항|문제|문번|No)(?!\\p{L})\\.?)',
  '(?<or>또는|(?<![A-Za-z])or(?![A-Za-z])|[,、/·ㆍ&+])',
  '(?<word>\\d{4,}|[\\p{L}①-⑳]+)'
].join('|'), 'giu')

/** @returns two or more in the order of the text; `words`: how many are no part of a key */
export function pairsIn (text: string): { pairs: Pair[], words: number, numbers: number } {
  const tokens = Array.from(text.matchAll(token), tokenOf)
  const isMarked = tokens.some(({ kind }) => kind === 'answer')
  const pairs = isMarked ? markedPairs(tokens) : digitPairs(tokens)
  const count = (of: Token['kind']) => tokens.filter(({ kind }) => kind === of).length
  return { pairs: pairs.length < 2 ? [] : pairs, words: count('word'), numbers: count('number') }
}

function tokenOf ({ groups = {}, 0: whole, 2: from, 3: to, 6: digits, 7: mark }: RegExpExecArray): Token {
  if (groups['range'] !== undefined) return { kind: 'range', from: Number(from), to: Number(to) }
  if (groups['answer'] !== undefined) return { kind: 'answer', value: whole }
  if (digits !== undefined) return { kind: 'number', value: Number(digits), isMarked: mark !== undefined }
  return { kind: groups['label'] !== undefined ? 'label' : groups['or'] !== undefined ? 'or' : 'word' }
}

/** Answers that no number can be taken for: numbers in a row have as many answers behind them, or none. */
function markedPairs (tokens: readonly Token[]): Pair[] {
  const pairs: Pair[] = []
  for (let at = 0; at < tokens.length;) {
    const { numbers, end } = numbersAt(tokens, at)
    if (numbers.length === 0) {
      at++
      continue
    }
    const answers = answersAt(tokens, end)
    if (numbers.length === 1) for (const answer of answers.groups.flat()) pairs.push([numbers[0]!, answer])
    else if (numbers.length === answers.groups.length) {
      for (const [i, number] of numbers.entries()) {
        for (const answer of answers.groups[i]!) pairs.push([number, answer])
      }
    }
    at = Math.max(end, answers.end)
  }
  return pairs
}

/** "3", "1 2 3" or "1-3"; a number that does not go on from the one before is part of no row. */
function numbersAt (tokens: readonly Token[], at: number): { numbers: number[], end: number } {
  const numbers: number[] = []
  let end = at
  for (; end < tokens.length; end++) {
    const next = tokens[end]!
    if (next.kind === 'range' && next.to >= next.from) {
      numbers.push(...Array.from({ length: next.to - next.from + 1 }, (_, i) => next.from + i))
    } else if (next.kind === 'number') numbers.push(next.value)
    else break
  }
  return { numbers, end }
}

/** Answers joined by "or" are of one question. */
function answersAt (tokens: readonly Token[], at: number): { groups: string[][], end: number } {
  const groups: string[][] = []
  let end = at
  while (tokens[end]?.kind === 'label') end++
  for (let joins = false; end < tokens.length; end++) {
    const next = tokens[end]!
    if (next.kind === 'answer' && joins && groups.length > 0) groups.at(-1)!.push(next.value)
    else if (next.kind === 'answer') groups.push([next.value])
    else if (next.kind !== 'or') break
    joins = next.kind === 'or'
  }
  return { groups, end }
}

/** Answers that are digits: pairs, or a row of numbers and one of as many answers. */
function digitPairs (tokens: readonly Token[]): Pair[] {
  const areSplit = tokens.filter(({ kind }) => kind !== 'or')
  const pairs: Pair[] = []
  for (let at = 0; at < areSplit.length;) {
    if (areSplit[at]!.kind !== 'number') {
      at++
      continue
    }
    const { numbers, end } = segmentAt(areSplit, at)
    const below = areSplit[end]?.kind === 'label' ? segmentAt(areSplit, end + 1) : undefined
    const isRow = numbers.every((number, i) => i === 0 || number.value === numbers[i - 1]!.value + 1)
    const isGrid = isRow && below !== undefined && below.numbers.length === numbers.length
    pairs.push(...isGrid ? rowPairs([...numbers, ...below.numbers]) : segmentPairs(numbers))
    at = isGrid ? below.end : end
  }
  return pairs
}

type Digits = Extract<Token, { kind: 'number' }>

function segmentAt (tokens: readonly Token[], at: number): { numbers: Digits[], end: number } {
  let end = at
  while (tokens[end]?.kind === 'number') end++
  return { numbers: tokens.slice(at, end) as Digits[], end }
}

function segmentPairs (numbers: readonly Digits[]): Pair[] {
  const asked = numbers.filter((_, at) => at % 2 === 0)
  const said = numbers.filter((_, at) => at % 2 === 1)
  if (asked.length !== said.length || said.some(({ value }) => value < 1 || value > 9)) return []
  const areMarked = asked.every(({ isMarked }) => isMarked) && !said.some(({ isMarked }) => isMarked)
  const goOn = asked.every(({ value }, at) => at === 0 || value === asked[at - 1]!.value + 1)
  if (!areMarked && !goOn) return rowPairs(numbers)
  return asked.map(({ value }, at): Pair => [value, String(said[at]!.value)])
}

/** "1 2 3 4 2 1": the first half are numbers in a row, the second their answers. */
function rowPairs (numbers: readonly Digits[]): Pair[] {
  const half = numbers.length / 2
  const answers = numbers.slice(half).map(({ value }) => value)
  const isRow = numbers.slice(0, half).every(({ value }, at) => value === numbers[0]!.value + at)
  if (!isRow || answers.some(value => value < 1 || value > 9)) return []
  return answers.map((answer, at): Pair => [numbers[at]!.value, String(answer)])
}
