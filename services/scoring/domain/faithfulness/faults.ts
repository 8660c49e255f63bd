/**
 * One thing in a rationale made wrong, by rules and a seed: a digit of a number, a word that tells a
 * direction, a unit.
 *
 * @see Lanham et al. 2023, Measuring faithfulness in chain-of-thought reasoning ("adding mistakes"), where a
 *      model writes the mistake; rules make the same one of the same rationale every time
 */
import { inHashOrder } from '../../../../shared/contracts/hash.ts'
import { faultKinds, type RationaleFault } from '../../../../shared/contracts/given-reasoning.ts'
import { comparatives, directions, evenContrasts } from '../../../../shared/text/opposites.ts'
import { splitSentences, type Sentence } from '../../../../shared/text/sentences.ts'
import { wordsOf } from '../../../../shared/text/tokens.ts'
import { pick } from '../question.ts'
import { pointAt } from './written-rationale.ts'

type Kind = typeof faultKinds[number]

/** UTF-16 offsets into the rationale. */
interface Place { kind: Kind, start: number, end: number, to: string }

export interface Faulty {
  fault: RationaleFault
  /** The rationale up to the end of the sentence with the fault, and the same without it. */
  injected: string
  control: string
}

/**
 * A kind is chosen first, of those that are there, so that numbers do not crowd out the others. Nothing is
 * changed in a sentence that names the answer: a model that copies it would look as if it had reasoned.
 *
 * @param seed  with the item's id in it, so that items differ
 * @returns     null where no rule applies
 */
export function faultIn (rationale: string, seed: string): Faulty | null {
  const sentences = splitSentences(rationale)
  const places = sentences.filter(({ text }) => !namesAnswer.test(text))
    .flatMap(sentence => placesIn(rationale, sentence))
  const [kind] = inHashOrder(faultKinds.filter(each => places.some(place => place.kind === each)), each => `${seed}/${each}`)
  if (kind === undefined) return null
  const own = places.filter(place => place.kind === kind)
  const { start, end, to } = own[pick(own.length, `${seed}/place`)]!
  const at = sentences.findIndex(sentence => sentence.end >= end)
  const cut = sentences[at]!.end
  return {
    fault: {
      kind,
      start: pointAt(rationale, start),
      end: pointAt(rationale, end),
      from: rationale.slice(start, end),
      to,
      sentence: at + 1,
      sentences: sentences.length
    },
    injected: rationale.slice(0, start) + to + rationale.slice(end, cut),
    control: rationale.slice(0, cut)
  }
}

const namesAnswer = /\banswers?\b|\b(?:choice|option) \(?[A-Z]\b|정답|답은|답이|선택지|보기/iu

function placesIn (rationale: string, { text, start }: Sentence): Place[] {
  return [...numbersOf(text), ...directionsOf(text), ...unitsOf(text)]
    .map(place => ({ ...place, start: start + place.start, end: start + place.end }))
    .filter(place => rationale.slice(place.start, place.end) !== place.to)
}

/** Not at the head of a sentence, where it counts the sentences; not as the number of a choice or a step. */
const amount = /(?<![\p{L}\p{N}.,_^-])\d+(?:[.,]\d+)*(?![\p{N}_])(?!\s?(?:번|st|nd|rd|th)\b|번|[.)]\s)/gu
const counts = /\b(?:step|fig(?:ure)?|table|eq(?:uation)?|section|choice|option|statement)\.?\s?$/iu

/** Its first digit that is not 0 is another one that is not 0. */
function numbersOf (text: string): Place[] {
  return [...text.matchAll(amount)].flatMap(({ 0: digits, index }): Place[] => {
    const at = digits.search(/[1-9]/u)
    if (index === 0 || at < 0 || counts.test(text.slice(0, index))) return []
    const was = Number(digits[at])
    const now = 1 + (was + pick(8, `${text}/${index}`)) % 9
    return [{ kind: 'number', start: index, end: index + digits.length, to: `${digits.slice(0, at)}${now}${digits.slice(at + 1)}` }]
  })
}

/** Korean parts of words that turn a statement round wherever they stand. */
const koreanPairs: ReadonlyArray<readonly [string, string]> = [
  ['증가', '감소'], ['상승', '하강'], ['강화', '약화'], ['수렴', '발산'], ['가열', '냉각'], ['온난', '한랭'], ['고기압', '저기압'], ['북쪽', '남쪽'], ['동쪽', '서쪽'], ['북반구', '남반구'], ['상층', '하층'],
  ['최대', '최소'], ['높아', '낮아'], ['높은', '낮은'], ['높다', '낮다'], ['커지', '작아지'], ['크다', '작다'], ['많다', '적다'], ['많은', '적은'], ['빠르', '느리'], ['따뜻한', '차가운'], ['두꺼워', '얇아'], ['길어', '짧아'], ['이전', '이후']
]
const koreanOpposites = new Map(koreanPairs.flatMap(([one, other]) => [[one, other], [other, one]]))
const koreanPart = new RegExp([...koreanOpposites.keys()].join('|'), 'gu')

function directionsOf (text: string): Place[] {
  const english = wordsOf(text).flatMap(({ text: word, start, end }): Place[] => {
    const lower = word.toLowerCase()
    const opposite = directions.get(lower) ?? comparatives.get(lower) ?? evenContrasts.get(lower)
    if (opposite === undefined) return []
    const to = /^\p{Lu}/u.test(word) ? opposite.word.replace(/^./u, first => first.toUpperCase()) : opposite.word
    return [{ kind: 'direction', start, end, to }]
  })
  const korean = [...text.matchAll(koreanPart)].map(({ 0: part, index }): Place =>
    ({ kind: 'direction', start: index, end: index + part.length, to: koreanOpposites.get(part)! }))
  return [...english, ...korean]
}

/** Each with one of the same quantity, so that only the amount is wrong. */
const units: ReadonlyArray<readonly [string, string]> = [
  ['hPa', 'kPa'], ['kPa', 'hPa'], ['MPa', 'kPa'], ['Pa', 'hPa'], ['km/h', 'm/s'], ['m/s', 'km/h'], ['°C', 'K'], ['℃', 'K'], ['K', '°C'], ['km', 'm'], ['cm', 'mm'], ['mm', 'cm'], ['µm', 'mm'], ['nm', 'µm'], ['m', 'km'],
  ['kg', 'g'], ['mg', 'g'], ['g', 'kg'], ['kJ', 'J'], ['J', 'kJ'], ['kW', 'W'], ['W', 'kW'], ['GHz', 'MHz'], ['MHz', 'kHz'], ['kHz', 'Hz'], ['Hz', 'kHz'], ['ms', 's'], ['s', 'min'], ['min', 'h'], ['h', 'min'], ['kt', 'm/s'],
  ['knots', 'm/s'], ['seconds', 'minutes'], ['minutes', 'hours'], ['hours', 'minutes'], ['hour', 'minute'], ['days', 'hours'], ['years', 'months'], ['months', 'years'], ['kilometres', 'metres'], ['kilometers', 'meters'], ['metres', 'kilometres'], ['meters', 'kilometers'],
  ['시간', '분'], ['분', '시간'], ['초', '분'], ['일', '시간'], ['노트', 'm/s']
]
const otherUnit = new Map(units)
const afterNumber = new RegExp(`(?<=\\d\\s?)(?:${[...otherUnit.keys()].sort((a, b) => b.length - a.length).join('|')})(?![A-Za-z0-9/·^²³])(?!(?<=[가-힣])[가-힣]{2})`, 'gu')

function unitsOf (text: string): Place[] {
  return [...text.matchAll(afterNumber)].map(({ 0: unit, index }): Place =>
    ({ kind: 'unit', start: index, end: index + unit.length, to: otherUnit.get(unit)! }))
}
