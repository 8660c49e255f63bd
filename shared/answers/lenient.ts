/**
 * Lenient reading of a reply: what a careful person would say it answers, or null.
 *
 * In this order, each with its rule id: the last commitment ("the answer is …"); a last line, or a
 * whole reply, that is an answer; a first line that starts with one; the only bracketed label; the
 * only option whose text occurs. Never a bare article; what is negated or eliminated does not
 * count; two answers at the same place are none.
 */
import type { Extraction } from '../contracts/run.ts'
import { yesNoReader } from './binary-reader.ts'
import {
  isBracketed, labelledTextReader, labelReader, optionMentions, optionTextReader
} from './choice-reader.ts'
import { commitmentsOf, rules, type Commitment } from './commitments.ts'
import { isDeniedBefore, type Found, type Reader } from './read.ts'
import { isRefusal } from './refusal.ts'
import { spanOf, viewOfReply, type View } from './view.ts'

/** What may be answered: Yes or No, or one of the choices' texts (at least two). */
export type Question =
  { kind: 'binary' } |
  { kind: 'choice', choices: readonly string[] }

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Yes or No, or the letter of a choice. */
export function labelOf (question: Question, index: number): string {
  return question.kind === 'binary' ? ['Yes', 'No'][index]! : letters[index]!
}

/** @param reply  as the model gave it, reasoning included */
export function readLeniently (reply: string, question: Question): Extraction {
  const view = viewOfReply(reply)
  if (view === null) return none('unparsed')
  if (view.text.trim() === '') return none('empty')
  const { text } = view
  const readers = readersOf(question)
  const committed = commitmentsOf(text, rules[question.kind], readers)
  const weaker = question.kind === 'binary'
    ? weakAnswers(text)
    : weakChoices(text, question.choices)
  const all = [...committed, ...weaker]
  const decisive = committed.at(-1) ?? weaker[0]
  const alternatives = (index: number | null) => [...new Set(all.map(one => one.index))]
    .filter(other => other !== null && other !== index).map(other => labelOf(question, other!)).sort()
  if (decisive === undefined) return none(isRefusal(text) ? 'refused' : 'unparsed')
  if (decisive.index === null) {
    return { ...none(decisive.reason ?? 'unparsed'), alternatives: alternatives(null) }
  }
  return taken(view, decisive as Commitment & { index: number }, {
    label: labelOf(question, decisive.index), alternatives: alternatives(decisive.index)
  })
}

function none (reason: string): Extraction {
  return { label: null, index: null, rule: null, span: null, alternatives: [], reason }
}

interface Named { label: string, alternatives: string[] }

function taken (view: View, one: Commitment, { label, alternatives }: Named): Extraction {
  const span = spanOf(view, one.from, one.to)
  return { label, index: one.index, rule: one.rule, span, alternatives }
}

const nothing: Reader = () => null

/** Option texts first: an option may look like a number ("2"), and then the text is meant. */
function readersOf (question: Question): readonly Reader[] {
  return question.kind === 'binary'
    ? [nothing, yesNoReader]
    : [optionTextReader(question.choices), labelReader(question.choices)]
}

interface Line { from: number, text: string }

function linesOf (text: string): Line[] {
  const lines: Line[] = []
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    if (to > from) lines.push({ from, text: text.slice(from, to) })
    from = to + 1
  }
  return lines
}

const onlyClosers = /^["')\]}>]{0,3}(?: ?번)? ?(?:입니다|이다|이에요|예요|임|です)?["')\]}]{0,3} ?[.!。]? ?$/

/** Weaker than a commitment, the best first. */
function weakAnswers (text: string): Commitment[] {
  const lines = linesOf(text)
  const last = lines.at(-1)!
  const alone = yesNoReader(text, last.from)
  const closing = alone !== null && onlyClosers.test(restOf(last, alone.to))
  const rule = lines.length === 1 ? 'whole-answer' : 'last-line'
  if (alone !== null && (closing || alone.reason !== undefined)) return [{ ...alone, rule }]
  const leading = [lines[0]!, ...lines.length > 1 ? [last] : []].flatMap(line => {
    const found = yesNoReader(text, line.from)
    return found !== null && leads.test(text.slice(found.to, found.to + 12)) ? [found] : []
  })
  if (leading.length === 0) return []
  const agreed = leading.every(one => one.index === leading[0]!.index)
  const first = { ...leading[0]!, rule: 'leading-word' }
  return [agreed ? first : { ...first, index: null, reason: 'multiple' }]
}

/** "No," and "No it does", but not "No evidence". */
const leads = /^["')\]}]{0,3}(?:[.,;:!。-]|\n| ?[–—-]|입니다|이다|요| (?:it|this|that|they|he|she|we|there|because|since)\b)/i

function restOf (line: Line, to: number): string {
  return line.text.slice(to - line.from)
}

function weakChoices (text: string, choices: readonly string[]): Commitment[] {
  const lines = linesOf(text)
  const readers = [...readersOf({ kind: 'choice', choices }), labelledTextReader(choices)]
  const starts = lines.map(line => startOf(text, line, readers))
  const distinct = new Set(starts.flatMap(start => start?.index ?? []))
  const found: Commitment[] = []
  const last = starts.at(-1)
  const rule = lines.length === 1 ? 'whole-answer' : 'last-line'
  const whole = last !== null && last !== undefined
  // Options recited line by line are no answer, unless the last line stands alone.
  const recited = lines.length > 1 && distinct.size > 1 && starts.at(-2) !== null
  if (whole && last.full && !recited) found.push({ ...last, rule })
  else if (starts[0]?.leads && distinct.size < 2 && !listsOthers(lines[0]!, starts[0])) found.push({ ...starts[0], rule: 'leading-label' })
  found.push(...onlyOne(bracketedMentions(text, choices), 'sole-bracketed-label'))
  found.push(...onlyOne(optionMentions(text, choices), 'sole-option-text'))
  return found
}

const anyLabel = labelReader([...letters])

/** "(A) is red. (B) is green." goes through the options rather than naming one. */
function listsOthers ({ text: line }: Line, { full, index }: Start): boolean {
  return !full && [...line.matchAll(bracketedSign)].some(({ index: at }) => {
    const sign = anyLabel(line, at)
    return sign !== null && sign.index !== null && sign.index !== index
  })
}

interface Start extends Found { full: boolean, leads: boolean }

/** The option a line starts with; `full`: and is; `leads`: or has a mark behind the label. */
function startOf (text: string, line: Line, [texts, labels, labelled]: readonly Reader[]): Start | null {
  const named = texts!(text, line.from)
  if (named !== null && onlyClosers.test(restOf(line, named.to))) {
    return { ...named, full: true, leads: true }
  }
  const label = labels!(text, line.from)
  if (label === null) return null
  const rest = restOf(line, label.to)
  const behind = /^["')\]}]{0,3} ?[.:)]? ?/.exec(rest)![0].length
  const own = labelled!(text, label.to + behind)
  const full = onlyClosers.test(rest) || label.reason === 'multiple' ||
    (own !== null && onlyClosers.test(restOf(line, own.to)))
  const bracketed = isBracketed(text, line.from)
  // "1. First, …" is a list.
  const reasoned = /^["']?,? (?:because|since|as)\b/.test(rest) && /[A-Z]/.test(text[label.from]!)
  const marked = bracketed || reasoned || (/^["']?[.):]/.test(rest) && !/\d/.test(text[label.from]!))
  return { ...label, full, leads: full || marked }
}

const bracketedSign = /(?<![\p{Script=Latin}\p{N}_])[([] ?(?:[A-Za-z]|\d{1,2}|[가-하]|[ㄱ-ㅎ]) ?[)\]]/gu

/** Up to the first that is of another option than the one before it: several are none, however many. */
function bracketedMentions (text: string, choices: readonly string[]): Found[] {
  const read = labelReader(choices)
  const mentions: Found[] = []
  for (const { index } of text.matchAll(bracketedSign)) {
    const found = isBracketed(text, index) ? read(text, index) : null
    if (found === null || found.index === null || isDeniedBefore(text, index)) continue
    mentions.push(found)
    if (found.index !== mentions[0]!.index) break
  }
  return mentions
}

/** The option all mentions are of; with several options, that there are several. */
function onlyOne (mentions: readonly Found[], rule: string): Commitment[] {
  const last = mentions.at(-1)
  if (last === undefined) return []
  const agreed = mentions.every(one => one.index === last.index)
  if (agreed) return [{ ...last, rule }]
  return [{ ...last, index: null, reason: 'multiple', rule }]
}
