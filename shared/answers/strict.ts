/**
 * Strict reading: the last line is `Answer: Yes`, `Answer: No` or `Answer: B`, exactly. Whether a
 * model keeps to the format it was asked for is a score of its own.
 */
import type { Extraction } from '../contracts/run.ts'
import { codePointsIn } from '../text/code-points.ts'
import { labelOf, type Question } from './lenient.ts'
import { withoutReasoning } from './reasoning.ts'

/** How a reply missed the format, worst first. */
export const violations = [
  'empty', 'unclosed-reasoning', 'no-answer-line', 'not-last-line', 'out-of-range', 'decorated',
  'extra-text', 'wrong-case', 'wrong-form'
] as const
export type Violation = (typeof violations)[number]

/** @param reply  as the model gave it; closed reasoning before the answer is allowed */
export function readStrictly (reply: string, question: Question): Extraction {
  const stretches = withoutReasoning(reply)
  if (stretches === null) return missed('unclosed-reasoning')
  const [from, to] = stretches.at(-1)!
  const lines = linesWithPlace(reply, from, to)
  const last = lines.at(-1)
  if (last === undefined) return missed('empty')
  const index = indexIn(last.text, question)
  if (index !== null) {
    const start = codePointsIn(reply, 0, last.start) + 'Answer: '.length
    const label = labelOf(question, index)
    const span = [start, start + label.length]
    return { label, index, rule: 'answer-line', span, alternatives: [] }
  }
  return missed(violationOf(last.text, lines.map(line => line.text), question))
}

function missed (violation: Violation): Extraction {
  const reason = violation === 'empty' || violation === 'out-of-range' ? violation : 'unparsed'
  return { label: null, index: null, rule: null, span: null, alternatives: [], violation, reason }
}

/** The index a line answers in the required format, else null. */
function indexIn (line: string, question: Question): number | null {
  const options = question.kind === 'binary' ? 2 : question.choices.length
  for (let index = 0; index < options; index++) {
    if (line === `Answer: ${labelOf(question, index)}`) return index
  }
  return null
}

function violationOf (last: string, lines: readonly string[], question: Question): Violation {
  if (!/answer/i.test(last)) {
    return lines.some(line => indexIn(line, question) !== null) ? 'not-last-line' : 'no-answer-line'
  }
  if (/^Answer: [A-Z]$/.test(last) && question.kind === 'choice') return 'out-of-range'
  const bare = last.replace(/[*_`$#>()[\]{}"'.]|\\[a-z]+/gi, '').trim()
  if (indexIn(bare, question) !== null) return 'decorated'
  const sameCase = (text: string) => lowerAnswers(question).includes(text.toLowerCase())
  if (sameCase(last)) return 'wrong-case'
  if (sameCase(bare)) return 'decorated'
  const begun = lowerAnswers(question).some(answer =>
    bare.toLowerCase().startsWith(answer) && !/[\p{L}\p{N}]/u.test(bare[answer.length]!))
  return begun ? 'extra-text' : 'wrong-form'
}

function lowerAnswers (question: Question): string[] {
  const options = question.kind === 'binary' ? 2 : question.choices.length
  return Array.from({ length: options }, (_, index) =>
    `answer: ${labelOf(question, index)}`.toLowerCase())
}

interface PlacedLine { text: string, start: number }

/** Lines that hold something, blanks at their end off. */
function linesWithPlace (reply: string, from: number, to: number): PlacedLine[] {
  const lines: PlacedLine[] = []
  for (let start = from; start <= to;) {
    const end = reply.indexOf('\n', start)
    const stop = end < 0 || end > to ? to : end
    const text = reply.slice(start, stop).trimEnd()
    if (text.trim() !== '') lines.push({ text, start })
    start = stop + 1
  }
  return lines
}
