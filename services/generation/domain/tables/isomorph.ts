/**
 * Isomorph items: the same question of the same table with other numbers, new with each release, so that
 * who has learnt the answer by heart has learnt nothing. Pure: the frozen item holds all that is needed.
 */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Check, Item } from '../../../../shared/contracts/item.ts'
import { shuffled } from '../seeded.ts'
import type { Language } from '../wording.ts'
import { printed } from './decimal.ts'
import { markdownOf, seriesIn, type Excerpt, type SeriesWords } from './excerpt.ts'
import { choicesOf } from './items.ts'
import { enoughMisses } from './misses.ts'
import {
  askers, differenceOf, extreme, followsHeadings, lookUpOf, ratioOf, trends,
  type Operation, type Question, type Where
} from './operations.ts'
import type { Entry, Series } from './series.ts'
import { questionText, rationaleText } from './wording.ts'
import { moved, ordered } from './variant.ts'

/** What `provenance.arguments` of an item about a table holds. */
export interface TableArguments extends SeriesWords {
  table: string
  operation: Operation
  of?: string[][]
  where?: Where
  excerpt?: Excerpt
}

/** Evidence stays what the paper has: it shows the form of the table, and not the numbers asked about. */
const printedCells: Check = {
  name: 'evidence-verbatim',
  passed: true,
  detail: 'Each quote is a cell of the table as printed. The numbers asked about are those of the table in the question, and the answer is executed from them.'
}

/** Variants that are tried until one has a certain answer that is not the old one. */
const attemptsMax = 30

const below: Record<Language, { lead: (label: string) => string, table: string }> = {
  en: {
    lead: label => `The table below has the form of ${label} of the paper; its numbers are other ones.`,
    table: 'the table below'
  },
  ko: { lead: label => `아래 표는 논문의 ${label}과(와) 형식이 같으나 수치는 다르다.`, table: '아래 표' }
}

/**
 * The item's variant of this release.
 *
 * @param item     of the strategy tables and the kind choice, as made or as frozen
 * @param release  its name; the same name gives the same variant
 * @returns        undefined when the item carries no table, or no variant has one certain, other answer
 */
export function isomorphOf (item: Item, release: string): Item | undefined {
  const given = item.provenance.arguments as TableArguments | undefined
  if (item.kind !== 'choice' || given?.excerpt === undefined) return undefined
  const language = item.language === 'ko' ? 'ko' : 'en'
  const old = item.choices?.[item.answerIndex ?? -1]?.text
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const seed = Number.parseInt(idOf('item', { release, of: item.id, attempt }).slice(4, 12), 16)
    const excerpt = variantOf(given, given.excerpt, seed)
    const question = excerpt === undefined ? undefined : askedAgain(given, excerpt, seed)
    if (excerpt === undefined || question === undefined || !enoughMisses(question)) continue
    const { choices, answerIndex } = choicesOf(question, { seed, language, key: item.id })
    if (choices[answerIndex]?.text === old) continue
    const { lead, table } = below[language]
    const said = questionText(question, { table, language, seed: item.provenance.seed })
    return {
      ...item,
      id: idOf('item', { isomorphOf: item.id, release }),
      question: `${lead(given.table)}\n\n${markdownOf(excerpt)}\n\n${said}`,
      choices,
      answerIndex,
      rationale: rationaleText(question, language),
      slices: { ...item.slices, isomorph: release, evidence: 'printed-table' },
      checks: [printedCells],
      provenance: {
        ...item.provenance,
        arguments: { ...argumentsAgain(given, question), excerpt, release, isomorphOf: item.id }
      }
    }
  }
  return undefined
}

function argumentsAgain (given: TableArguments, { threshold, named }: Question): Record<string, unknown> {
  return {
    ...given,
    ...given.of !== undefined && { of: named.map(({ heading }) => heading.path) },
    ...threshold !== undefined && { threshold: printed(threshold) }
  }
}

function variantOf (given: TableArguments, excerpt: Excerpt, seed: number): Excerpt | undefined {
  // Numbers that follow amounts in the headings, as an effect its dose, go on doing so.
  const stays = followsHeadings(seriesIn(excerpt, given))
  const variant = moved(excerpt, { along: given.along, stays, seed })
  if (given.operation !== 'trend') return variant
  const series = seriesIn(variant, given)
  const wanted = shuffled(trends, seed, trend => `trend ${trend}`)[0]
  return wanted === undefined ? undefined : ordered(variant, series, wanted)
}

/** The same operation of the same headings; the two that are named stay named, the higher first. */
function askedAgain (given: TableArguments, excerpt: Excerpt, seed: number): Question | undefined {
  const whole = seriesIn(excerpt, given)
  const { operation, where, of = [] } = given
  const named = of.map(path => whole.entries.find(({ heading: { name } }) =>
    name === path.join(' / ') || name === path.at(-1)))
  const [a, b] = named
  if (operation === 'look-up') return a === undefined ? undefined : lookUpOf(whole, a)
  if (operation === 'difference' || operation === 'ratio') {
    if (a === undefined || b === undefined) return undefined
    return (operation === 'ratio' ? ratioOf : differenceOf)(whole, [a, b])
  }
  if (operation !== 'argmax-where') return askers[operation](whole, seed)
  if (where === undefined) return undefined
  const series = { ...whole, entries: inside(whole, excerpt, where) }
  return extreme({ series, seed, operation, rank: 0, highest: true, where })
}

function inside ({ entries }: Series, { columns, rows }: Excerpt, { column, equals }: Where): Entry[] {
  const at = columns.indexOf(column.join(' / '))
  return entries.filter(({ row }) => rows[row]?.[at] === equals)
}
