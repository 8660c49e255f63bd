/**
 * Classes of true and false forms of yes/no questions, as data, and how they are told. A model is asked
 * for certain ones, so that all come up alike over the figures of a paper; which one a pair is of is
 * told by code, never by who wrote it.
 */
import type { PairForms } from '../../../../shared/contracts/generation.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { factsIn, isUnitSymbol, numbersIn } from '../../../../shared/text/facts.ts'
import { comparatives, contrasts, directions, evenContrasts } from '../../../../shared/text/opposites.ts'
import { withoutTrivia } from '../../../../shared/text/trivial-facts.ts'
import type { Change } from '../../../../shared/text/word-changes.ts'
import { fractionOf } from '../seeded.ts'

export const trueForms = {
  effect: 'the effect of a variable: what rises, falls, or differs, and with what',
  condition: 'the exact condition under which something holds: a temperature, dose, time, setting, sample',
  statistic: 'a statistic: a share, mean, spread, correlation, p value or error, with its value',
  claim: 'a claim of the authors: what follows, what causes what, what is best'
} as const
export type TrueForm = keyof typeof trueForms

export const falseForms = {
  content: 'what is said or found',
  method: 'a method, instrument, material or step that was used',
  definition: 'what a term, symbol, colour, line or panel stands for',
  number: 'a number, put in place of another that the paper gives in the same unit',
  unit: 'the unit of a number',
  direction: 'a direction or comparison (higher and lower, rose and fell, before and after)',
  entity: 'a name (a group, model, substance, place), put in place of another of the paper',
  condition: 'the condition under which it holds'
} as const
export type FalseForm = keyof typeof falseForms

export interface Forms { trueForm: TrueForm, falseForm: FalseForm }

/**
 * The forms asked for, of all pairs of a paper in the order of its figures: each true form once in four
 * and each false form once in eight, from a start that depends on the paper.
 *
 * @param from  number of the first pair, from 0
 */
export function formsAsked (
  from: number, count: number, { seed, paperId }: { seed: number, paperId: string }
): Forms[] {
  const [trues, falses] = [Object.keys(trueForms) as TrueForm[], Object.keys(falseForms) as FalseForm[]]
  const start = Math.floor(fractionOf(seed, 'forms', paperId) * falses.length)
  return Array.from({ length: count }, (_, i) => {
    const at = start + from + i
    // Each round of false forms meets the true ones shifted by one, so that all combinations come up.
    return {
      trueForm: trues[(at + Math.floor(at / falses.length)) % trues.length]!,
      falseForm: falses[at % falses.length]!
    }
  })
}

export function formsShown (forms: readonly Forms[]): string {
  return forms.map(({ trueForm, falseForm }, i) =>
    `${i + 1}. About ${trueForms[trueForm]}. The "no" question misstates ${falseForms[falseForm]}.`).join('\n')
}

/** Of all pairs that a paper is asked for, at most this share is of one form: twice or thrice its turn. */
export const formSharesMax = { trueForm: 3 / 4, falseForm: 1 / 2 } as const

export interface FigureForms { asked: Forms[], room: (kind: 'trueForm' | 'falseForm', form: string) => number }

/**
 * What is asked for at one figure, and how many of its pairs may be of a form. Each figure's room is
 * known before any is written, so that it depends on no other. Over the figures up to any, the room of
 * a form is at most its share and one; with one pair a figure, what is asked for comes on top.
 *
 * @param at  number of the figure among those with a picture, from 0
 */
export function formsAt (at: number, count: number, of: { seed: number, paperId: string }): FigureForms {
  const asked = formsAsked(at * count, count, of)
  const known = { trueForm: Object.keys(trueForms), falseForm: Object.keys(falseForms) }
  return {
    asked,
    room (kind, form) {
      const share = formSharesMax[kind] * count
      const phase = known[kind].indexOf(form) / known[kind].length
      const open = Math.floor((at + 1) * share + phase) - Math.floor(at * share + phase)
      return Math.max(open, asked.filter(each => each[kind] === form).length)
    }
  }
}

/** Pairs of a generation by form, beside the share that each was asked for. */
export function pairFormsOf (items: ReadonlyArray<Pick<Item, 'kind' | 'answerIndex' | 'slices'>>): PairForms | undefined {
  const pairs = items.filter(({ kind, answerIndex, slices }) =>
    kind === 'binary' && answerIndex === 0 && slices['falseForm'] !== undefined)
  if (pairs.length === 0) return undefined
  const counted = (slice: string, forms: object) => Object.fromEntries(Object.keys(forms).map(form =>
    [form, pairs.filter(({ slices }) => slices[slice] === form).length]))
  return {
    pairs: pairs.length,
    trueForms: counted('trueForm', trueForms),
    falseForms: counted('falseForm', falseForms),
    quotas: { trueForm: 1 / Object.keys(trueForms).length, falseForm: 1 / Object.keys(falseForms).length },
    lookUps: pairs.filter(({ slices }) => slices['lookUp'] === 'yes').length
  }
}

const statistic = /%|±|[<>=≤≥]|(?<!\p{L})(?:p|r|R2|CI|SD|SE|SEM|AUC|ROC|RMSE|MAE)(?!\p{L})|\b(?:per ?cent|percentage|mean|median|average|variance|deviations?|confidence|correlat\p{L}*|regression|significan\p{L}*|probability|rate of|ratio|quartile)\b|퍼센트|평균|중앙값|분산|표준편차|신뢰구간|상관|유의|확률|비율/u
const conditional = /(?:\b(?:at|under|after|before|during|within|with|without|in|for|until|when|if|while|between|above|below|from|by)\b|에서|동안|조건|이후|이전|경우)/iu
const conditionBefore = /\b(?:at|under|after|before|during|within|with|without|in|for|until|when|while|between|from)(?: (?:an?|the|only|about))?(?: [\p{L}-]{1,30}){0,2} $/iu
/** "At 300 K", "for 2 h": what was set, rather than what was found. */
const measuredAt = /\b(?:at|under|after|during|within|for|until|when|while)(?: (?:an?|the|only|about))?(?: [\p{L}-]{1,30}){0,2} $/iu
const methodical = /\b(?:us(?:e|es|ed|ing)|method|measured (?:with|by)|by means of|trained|fitted|calculated|estimated|performed|prepared|dissolved|recorded|collected|applied|procedure|protocol|algorithm|instrument|technique)\b|사용|방법|측정|이용|적용/iu
const defining = /\b(?:defin\p{L}*|refers? to|denot\p{L}*|stands? for|represents?|mean(?:s|t) (?:that|by)|is called|are called|indicates?|symboli[sz]es?|corresponds? to)\b|정의|나타내|의미|가리키/iu

/** What kind of statement a true member makes. */
export function trueFormOf (statement: string): TrueForm {
  const claim = withoutTrivia(statement)
  const facts = factsIn(claim)
  if (statistic.test(claim) && (facts.some(({ value }) => value !== undefined) || /significan|correlat|유의|상관/u.test(claim))) return 'statistic'
  if (facts.some(({ kind }) => kind === 'direction' || kind === 'comparative')) return 'effect'
  if (conditional.test(claim) && facts.some(({ value, unit }) => value !== undefined && isUnitSymbol(unit ?? ''))) return 'condition'
  return 'claim'
}

/** What the false member misstates. */
export function falseFormOf (claim: string, changes: readonly Change[]): FalseForm {
  const [{ from, to } = { from: '', to: '' }] = changes
  const [numbers, others] = [numbersIn(from), numbersIn(to)]
  const before = claim.slice(0, Math.max(0, ` ${claim} `.indexOf(` ${from} `)))
  const values = (facts: typeof numbers) => facts.map(({ value }) => value).join()
  if (changes.length === 1 && numbers.length > 0 && others.length > 0) {
    if (values(numbers) === values(others)) return 'unit'
    return measuredAt.test(before.slice(-60)) && numbers[0]?.unit !== '%' ? 'condition' : 'number'
  }
  if (counting.test(from) && counting.test(to)) return 'number'
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}%°µ/ -]/gu, '')
  if (/\d\s*$/u.test(before) && isUnitSymbol(bare(from).trim()) && isUnitSymbol(bare(to).trim())) return 'unit'
  if (turns(from) || turns(to)) return 'direction'
  if (conditionBefore.test(before.slice(-60)) && !isName(from)) return 'condition'
  if (isName(from) && isName(to)) return 'entity'
  if (defining.test(claim)) return 'definition'
  if (methodical.test(claim)) return 'method'
  return 'content'
}

const counting = /^(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|하나|둘|셋|넷|다섯)$/iu

function turns (text: string): boolean {
  const kinds = factsIn(text).map(({ kind }) => kind)
  if (kinds.includes('direction') || kinds.includes('comparative')) return true
  return text.toLowerCase().split(/\s+/u).some(word =>
    [directions, comparatives, contrasts, evenContrasts].some(table => table.has(word.replace(/[^\p{L}-]/gu, ''))))
}

/** Names inside a sentence; at its start, a word of several capitals or with a digit. */
function isName (text: string): boolean {
  return factsIn(`the ${text}`).some(({ kind }) => kind === 'entity')
}
