/**
 * The words of questions and rationales about tables, in the paper's language; which wording is taken
 * depends on the seed.
 */
import { fractionOf } from '../seeded.ts'
import type { Language } from '../wording.ts'
import { printed } from './decimal.ts'
import type { Operation, Question, Trend } from './operations.ts'
import type { Entry } from './series.ts'

interface Words {
  table: string
  /** What is compared: the column or row that holds the numbers. */
  what: string
  /** What the answer is one of: "entry under "Strain"", "column". */
  one: string
  among: string
  of: (entry: Entry | undefined) => string
  question: Question
  unit: string
}

type Template = (words: Words) => string

const english: Record<Operation, Template[]> = {
  'look-up': [
    ({ table, of, question: { named } }) => `According to ${table}, what is ${of(named[0])}?`,
    ({ table, of, question: { named } }) => `Which number does ${table} report as ${of(named[0])}?`
  ],
  argmax: [
    ({ table, one, what }) => `In ${table}, which ${one} has the highest value ${what}?`,
    ({ table, one, what }) => `According to ${table}, for which ${one} is the value ${what} the largest?`
  ],
  argmin: [
    ({ table, one, what }) => `In ${table}, which ${one} has the lowest value ${what}?`,
    ({ table, one, what }) => `According to ${table}, for which ${one} is the value ${what} the smallest?`
  ],
  second: [
    ({ table, one, what }) => `In ${table}, which ${one} has the second-highest value ${what}?`,
    ({ table, one, what }) => `Ranking the values ${what} in ${table} from high to low, which ${one} comes second?`
  ],
  'argmax-where': [
    ({ table, one, what, question: { where } }) => `Of the rows of ${table} with ${quoted(where?.equals)} under ${quoted(where?.column.join(' / '))}, which ${one} has the highest value ${what}?`
  ],
  difference: [
    ({ table, of, unit, question: { named: [a, b] } }) => `In ${table}, by how much is ${of(a)} higher than ${of(b)}${unit}?`,
    ({ table, of, unit, question: { named: [a, b] } }) => `Using ${table}, subtract ${of(b)} from ${of(a)}. What is the result${unit}?`
  ],
  spread: [
    ({ table, what, unit }) => `In ${table}, what is the difference between the highest and the lowest value ${what}${unit}?`,
    ({ table, what, unit }) => `How far apart are the largest and the smallest value ${what} in ${table}${unit}?`
  ],
  ratio: [
    ({ table, of, question: { named: [a, b] } }) => `In ${table}, ${of(a)} is how many times ${of(b)}? (Rounded as in the choices.)`,
    ({ table, of, question: { named: [a, b] } }) => `Using ${table}, divide ${of(a)} by ${of(b)}. What is the result, rounded as in the choices?`
  ],
  count: [
    ({ table, among, what, question: { threshold } }) => `In ${table}, how many ${among} have a value ${what} above ${threshold === undefined ? '' : printed(threshold)}?`
  ],
  trend: [
    ({ table, what, question: { cells } }) => `In ${table}, how does the value ${what} change from ${quoted(cells[0]?.label)} to ${quoted(cells.at(-1)?.label)}, in the order of the table?`
  ]
}

const korean: Record<Operation, Template[]> = {
  'look-up': [({ table, of, question: { named } }) => `${table}에서 ${of(named[0])}은(는) 얼마인가?`],
  argmax: [
    ({ table, one, what }) => `${table}에서 ${what} 값이 가장 큰 ${one}은(는) 무엇인가?`,
    ({ table, one, what }) => `${table}에 따르면 ${what} 값이 최대인 ${one}은(는) 어느 것인가?`
  ],
  argmin: [({ table, one, what }) => `${table}에서 ${what} 값이 가장 작은 ${one}은(는) 무엇인가?`],
  second: [({ table, one, what }) => `${table}에서 ${what} 값이 두 번째로 큰 ${one}은(는) 무엇인가?`],
  'argmax-where': [({ table, one, what, question: { where } }) => `${table}에서 ${quoted(where?.column.join(' / '))} 열이 ${quoted(where?.equals)}인 행 중 ${what} 값이 가장 큰 ${one}은(는) 무엇인가?`],
  difference: [({ table, of, unit, question: { named: [a, b] } }) => `${table}에서 ${of(a)}은(는) ${of(b)}보다 얼마나 큰가${unit}?`],
  spread: [({ table, what, unit }) => `${table}에서 ${what} 값의 최댓값과 최솟값의 차이는 얼마인가${unit}?`],
  ratio: [({ table, of, question: { named: [a, b] } }) => `${table}에서 ${of(a)}은(는) ${of(b)}의 몇 배인가? (보기의 자릿수로 반올림)`],
  count: [({ table, among, what, question: { threshold } }) => `${table}에서 ${what} 값이 ${threshold === undefined ? '' : printed(threshold)}보다 큰 ${among}은(는) 몇 개인가?`],
  trend: [({ table, what, question: { cells } }) => `${table}에서 ${quoted(cells[0]?.label)}부터 ${quoted(cells.at(-1)?.label)}까지 표의 순서대로 볼 때 ${what} 값은 어떻게 변하는가?`]
}

export const trendWords: Record<Language, Record<Trend, string>> = {
  en: {
    rises: 'It rises at every step.',
    falls: 'It falls at every step.',
    'rises-falls': 'It rises at first and then falls.',
    'falls-rises': 'It falls at first and then rises.'
  },
  ko: {
    rises: '모든 단계에서 증가한다.',
    falls: '모든 단계에서 감소한다.',
    'rises-falls': '처음에는 증가하다가 이후 감소한다.',
    'falls-rises': '처음에는 감소하다가 이후 증가한다.'
  }
}

export interface Saying { table: string, language: Language, seed: number }

export function questionText (question: Question, { table, language, seed }: Saying): string {
  const templates = (language === 'ko' ? korean : english)[question.operation]
  const words = { ...wordsFor(question, language), table }
  const chosen = Math.floor(fractionOf(seed, 'wording', question.operation, words.what, question.answer) * templates.length)
  const text = templates[chosen]?.(words) ?? ''
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function wordsFor (question: Question, language: Language): Omit<Words, 'table'> {
  const { series: { along, fixed, kind, percent } } = question
  const down = along === 'rows'
  const what = quoted(fixed.name)
  const unit = percent ? (language === 'ko' ? ' (%p)' : ', in percentage points') : ''
  if (language === 'ko') {
    return {
      question,
      unit,
      what: down ? `${what} 열의` : `${what} 행의`,
      one: kind === '' ? (down ? '행' : '열') : `${quoted(kind)} 항목`,
      among: kind === '' ? (down ? '행' : '열') : `${quoted(kind)} 항목`,
      of: entry => down ? `${quoted(entry?.heading.name)} 행의 ${what} 값` : `${what} 행의 ${quoted(entry?.heading.name)} 값`
    }
  }
  return {
    question,
    unit,
    what: down ? `in the column ${what}` : `in the row ${what}`,
    one: kind === '' ? (down ? 'row' : 'column') : `entry ${down ? 'of the column' : 'under the heading'} ${quoted(kind)}`,
    among: kind === '' ? (down ? 'rows' : 'columns') : `entries ${down ? 'of the column' : 'under the heading'} ${quoted(kind)}`,
    of: entry => down ? `the value in the column ${what} for ${quoted(entry?.heading.name)}` : `the value in the row ${what} under ${quoted(entry?.heading.name)}`
  }
}

/** The computation in words; the numbers as printed. */
export function rationaleText (question: Question, language: Language): string {
  const { operation, cells, named, answer, threshold, series } = question
  const ko = language === 'ko'
  const told = (entry: Entry | undefined) => `${entry?.label ?? ''}: ${entry === undefined ? '' : printed(entry.value)}`
  const list = (ko ? '값: ' : 'The values are ') + cells.slice(0, 12).map(told).join('; ') + (cells.length > 12 ? '; …' : '') + '.'
  const [a, b] = named.map(({ value }) => printed(value))
  switch (operation) {
    case 'look-up': return ko ? `표의 해당 칸에 ${answer}(으)로 적혀 있다.` : `The cell of this row and column reads ${answer}.`
    case 'difference': return `${a} − ${b} = ${answer}.`
    case 'spread': return `${list} ${a} − ${b} = ${answer}.`
    case 'ratio': return `${a} / ${b} ≈ ${answer}.`
    case 'count': return ko ? `${list} ${printed(threshold ?? series.entries[0]!.value)}보다 큰 값은 ${answer}개이다.` : `${list} Above ${printed(threshold ?? series.entries[0]!.value)} are ${answer} of them.`
    case 'trend': return `${list} ${trendWords[language][answer as Trend]}`
    case 'argmin': return ko ? `${list} 가장 작은 값은 ${answer}이다.` : `${list} The lowest is that of ${answer}.`
    case 'second': return ko ? `${list} 두 번째로 큰 값은 ${answer}이다.` : `${list} The second-highest is that of ${answer}.`
    default: return ko ? `${list} 가장 큰 값은 ${answer}이다.` : `${list} The highest is that of ${answer}.`
  }
}

function quoted (name: string | undefined): string {
  return `"${name ?? ''}"`
}
