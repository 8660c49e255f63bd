/**
 * Replies as the released K-MetBench toolkit (4d15dc7) reads them, its errors included, so that its
 * published numbers can be reproduced and held against a careful reading: an unclosed thought is an answer,
 * the first of two fenced answers wins, "Option 2 is incorrect" answers 2, no range is checked.
 */
import type { Extraction } from '../contracts/run.ts'
import { codePointsIn } from '../text/code-points.ts'
import { pythonBlanks, trimBlanks } from '../text/python-text.ts'

/** Text with the way back to the reply it was cut from. */
interface Cut { text: string, pieces: ReadonlyArray<{ at: number, from: number }> }

/** UTF-16 offsets into the cut text, half-open. */
interface Found { value: number, rule: string, from: number, to: number }

/**
 * @param options  how many there are; the number answered may be another one
 * @returns        `index` is the number answered less one, which may be -1 or beyond the options; `label` a
 *                 letter, or the number itself where it names no option
 */
export function readAsKmetbench (reply: string, options: number): Extraction {
  const cut = withoutThoughts(reply)
  const found = answerIn(cut.text)
  if (found === null) {
    const reason = cut.text === '' ? 'empty' : 'unparsed'
    return { label: null, index: null, rule: null, span: null, alternatives: [], reason }
  }
  const index = found.value - 1
  const inRange = index >= 0 && index < options
  return {
    label: inRange ? String.fromCharCode(65 + index) : String(found.value),
    index,
    rule: found.rule,
    span: [placeIn(reply, cut, found.from), placeIn(reply, cut, found.to)],
    alternatives: [],
    ...inRange ? {} : { violation: 'out-of-range' }
  }
}

const opening = '<think>'
const closing = '</think>'

/** Closed thoughts taken out, blanks at both ends off. */
function withoutThoughts (reply: string): Cut {
  const pieces: Array<{ at: number, from: number }> = []
  let text = ''
  for (let from = 0; ;) {
    const opened = reply.indexOf(opening, from)
    const closed = opened < 0 ? -1 : reply.indexOf(closing, opened + opening.length)
    pieces.push({ at: text.length, from })
    text += reply.slice(from, closed < 0 ? reply.length : opened)
    if (closed < 0) break
    from = closed + closing.length
  }
  const start = blanksFrom(text, 0)
  let end = text.length
  while (end > start && blank.test(text[end - 1]!)) end--
  return { text: text.slice(start, end), pieces: pieces.map(({ at, from }) => ({ at: at - start, from })) }
}

/** Code points of the reply before a place of the cut text. */
function placeIn (reply: string, { pieces }: Cut, place: number): number {
  const { at, from } = pieces.findLast(piece => piece.at <= place)!
  return codePointsIn(reply, 0, from + place - at)
}

const blank = new RegExp(`[${pythonBlanks}]`)

function blanksFrom (text: string, at: number): number {
  while (at < text.length && blank.test(text[at]!)) at++
  return at
}

function answerIn (text: string): Found | null {
  const place = jsonPlace(text)
  const value = firstNumber(jsonIn(text, place)?.정답)
  return value === null || place === null ? freeAnswer(text) : { value, rule: 'kmetbench-json', ...place }
}

/** The rationale beside the answer, as the toolkit hands it to its judge; empty where it finds none. */
export function rationaleAsKmetbench (reply: string): string {
  const { text } = withoutThoughts(reply)
  const rationale = jsonIn(text, jsonPlace(text))?.생성된_추론_근거
  return typeof rationale === 'string' ? trimBlanks(rationale) : ''
}

interface Place { from: number, to: number }

function jsonIn (text: string, place: Place | null): Record<string, unknown> | null {
  return place === null ? null : objectIn(text.slice(place.from, place.to))
}

/** Where the toolkit takes JSON from: the first fence called json, else a bare one, else what braces span. */
function jsonPlace (text: string): Place | null {
  const fenced = fencedPlace(text, '```json') ?? fencedPlace(text, '```')
  if (fenced !== null) return fenced
  const scratchpad = text.lastIndexOf('</scratchpad>')
  const from = text.indexOf('{', scratchpad < 0 ? 0 : scratchpad + '</scratchpad>'.length)
  const to = text.lastIndexOf('}')
  return from < 0 || to <= from ? null : { from, to: to + 1 }
}

function fencedPlace (text: string, fence: string): Place | null {
  for (let at = text.indexOf(fence); at >= 0; at = text.indexOf(fence, at + 1)) {
    const from = blanksFrom(text, at + fence.length)
    if (text[from] !== '{') continue
    const to = braceBeforeFence(text, from + 1)
    // A later opening has no more closings than this one.
    return to === null ? null : { from, to }
  }
  return null
}

/** Behind the first } that only blanks part from a fence. */
function braceBeforeFence (text: string, from: number): number | null {
  let last = from
  for (let at = text.indexOf('```', from); at >= 0; at = text.indexOf('```', at + 1)) {
    let end = at
    while (end > last && blank.test(text[end - 1]!)) end--
    if (end > from && text[end - 1] === '}') return end
    last = at
  }
  return null
}

function objectIn (json: string): Record<string, unknown> | null {
  for (const candidate of [json, json.replaceAll("'", '"')]) {
    try {
      const value: unknown = JSON.parse(withoutNaN(candidate.replace(trailingComma, '$1')))
      return typeof value === 'object' && !Array.isArray(value) ? value as Record<string, unknown> | null : null
    } catch {
      // The toolkit tries the next one, too.
    }
  }
  return null
}

const trailingComma = new RegExp(`,[${pythonBlanks}]*([}\\]])`, 'g')

/** Python reads NaN and Infinity as numbers; neither has a digit. */
function withoutNaN (json: string): string {
  if (!/NaN|Infinity/.test(json)) return json
  return json.replace(/"(?:[^"\\]|\\.)*"?|-?Infinity|NaN/gs, part => part.startsWith('"') ? part : 'null')
}

/** The first run of digits a value shows when it is printed; without a stack, for it may be deep. */
function firstNumber (value: unknown): number | null {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (next !== null && typeof next === 'object') {
      const parts: unknown[] = Array.isArray(next) ? next : Object.entries(next).flat()
      for (const part of parts.toReversed()) waiting.push(part)
      continue
    }
    const digits = typeof next === 'string' || typeof next === 'number' ? /\p{Nd}+/u.exec(String(next)) : null
    if (digits !== null) return numberOf(digits[0])
  }
  return null
}

/** Digits of any script, as Python's int() has it. */
function numberOf (digits: string): number {
  return Number([...digits].map(digit => {
    const plain = digit.normalize('NFKC')
    if (/^\d$/.test(plain)) return plain
    let value = 0
    // The ten digits of a script follow one another.
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0)! - value - 1))) value++
    return value
  }).join(''))
}

const s = `[${pythonBlanks}]`
const option = '(?:선택지|보기|옵션|option)'
const numbered = `${option}${s}*([1-5])번?`

/** In this order: of the first that matches anywhere, the last match. */
const patterns = Object.entries({
  'kmetbench-answer-ko': `(?:정답|답)${s}*(?:(?:은|:)${s}*)?(?:${option}${s}*)?([1-5])`,
  'kmetbench-answer-en': `answer${s}*(?:(?:is|:)${s}*)?(?:option${s}*)?([1-5])`,
  'kmetbench-verdict': `${numbered}${s}*(?:(?:이|가|는)${s}*)?(?:정답|답)`,
  'kmetbench-likely': `${numbered}${s}*(?:(?:이|가|는)${s}*)?(?:가장${s}+유력|가장${s}+적절|정답일${s}+가능성이${s}+높|일${s}+가능성이${s}+높)`,
  'kmetbench-verdict-en': `option${s}*([1-5])${s}*(?:is|would be)${s}*(?:the${s}+answer|correct|incorrect|likely)`,
  'kmetbench-wrong': `선택지${s}*([1-5])번?${s}*(?:(?:은|는|이|가)${s}*)?(?:옳지${s}+않|틀리|맞지${s}+않)`,
  'kmetbench-mention': numbered
}).map(([rule, pattern]) => ({ rule, pattern: new RegExp(pattern, 'giud') }))

/** Code points at the end that are searched where there is no JSON. */
const tailMax = 2000

function freeAnswer (text: string): Found | null {
  // No code point has more than two units.
  const end = [...text.slice(-2 * tailMax)].slice(-tailMax).join('')
  const before = text.length - end.length
  for (const { rule, pattern } of patterns) {
    const last = [...end.matchAll(pattern)].at(-1)
    if (last === undefined) continue
    const [from, to] = last.indices![1]!
    return { value: Number(last[1]), rule, from: before + from, to: before + to }
  }
  return null
}

/** What the toolkit reads off a judge's reply; -1 where it finds no score. */
export interface KmetbenchJudgement {
  total: number
  factual: number
  logical: number
  depth: number
  clarity: number
  comment: string
  factualErrors: unknown[]
}

const axes = { factual: '정확성', logical: '논리적_완결성', depth: '추론의_깊이', clarity: '표현의_명확성' }

/** A judge's reply as the toolkit reads it: no range is checked, and one missing score makes the total -1. */
export function judgementAsKmetbench (reply: string): KmetbenchJudgement {
  const json = jsonIn(reply, jsonPlace(reply))
  const scores = json?.평가_점수
  const rated = (scores ?? {}) as Record<string, unknown>
  const scoreOf = (axis: string) => firstNumber(rated[axis]) ?? -1
  const found = {
    factual: scoreOf(axes.factual),
    logical: scoreOf(axes.logical),
    depth: scoreOf(axes.depth),
    clarity: scoreOf(axes.clarity)
  }
  const all = Object.values(found)
  const comment = json?.평가_사유
  const errors = json?.사실_오류_목록
  return {
    total: all.includes(-1) ? -1 : all.reduce((sum, score) => sum + score, 0),
    ...found,
    comment: typeof comment === 'string' ? comment : '',
    factualErrors: Array.isArray(errors) ? errors : []
  }
}
