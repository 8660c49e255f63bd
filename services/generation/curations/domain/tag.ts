/** Dimensions of an item that its own words tell, by rules. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { numbersIn, isUnitSymbol } from '../../../../shared/text/facts.ts'
import type { StepOf } from './steps.ts'

const figureTypes: ReadonlyArray<readonly [string, RegExp]> = [
  ['weather-map', /일기도|지상도|등압선|weather map|surface chart|synoptic chart|isobar/iu],
  ['sounding', /단열선도|스큐|skew-?t|sounding|tephigram|emagram|hodograph/iu],
  ['satellite', /위성|satellite/iu],
  ['radar', /레이더|radar/iu],
  ['table', /(?:다음|아래|위의?) 표|\btable\b/iu],
  ['photograph', /사진|photo(?:graph)?/iu],
  ['map', /지도|\bmap\b/iu],
  ['graph', /그래프|곡선|시계열|\bgraph\b|\bcurve\b|time series|\bplot\b/iu],
  ['diagram', /모식도|단면|\bdiagram\b|schematic|cross[- ]section/iu]
]
const reads = /그림|그래프|일기도|선도|도표|자료|위성영상|figure|graph|chart|shown|image|diagram|map/iu
const calculates = /계산|구하|얼마|몇 (?:도|m|km|%|hPa|배|시간)|약 몇|값은|calculate|compute|how (?:much|many|far|high|fast)|what is the (?:value|height|temperature|pressure|speed|ratio)/iu
const severalSteps = /각각|차례로|순서|이때|그리고|(?:ㄱ|ㄴ|ㄷ)[.,]|then|respectively|in order|and then|given that|(?:I|II|III)\./u

export type Tags = Partial<Record<'modality' | 'figureType' | 'skill' | 'difficulty' | 'subdomain', string>>

/**
 * Only what the item's words or images tell: a figure type that no word names stays untagged. Difficulty is a
 * guess from what solving it takes (steps, numbers, choices that deny), not from anybody's answers.
 */
export function tagsOf (item: Item, { dimensions, subdomains }: Pick<StepOf<'tag'>, 'dimensions' | 'subdomains'>): Tags {
  const text = plainOf([item.question, ...(item.choices ?? []).map(choice => choice.text)].join('\n'))
  const skill = skillOf(item, text)
  const found: Tags = {
    modality: modalityOf(item),
    figureType: isPictured(item) ? figureTypes.find(([, words]) => words.test(text))?.[0] : undefined,
    skill,
    difficulty: difficultyOf(item, text, skill),
    subdomain: subdomainOf(text, subdomains)
  } as Tags
  return Object.fromEntries(Object.entries(found)
    .filter(([name, value]) => value !== undefined && dimensions.includes(name as never)))
}

function isPictured ({ images, choices, figureIds }: Item): boolean {
  return (images?.length ?? 0) > 0 || figureIds.length > 0 ||
    (choices ?? []).some(({ imageId }) => imageId !== undefined)
}

function modalityOf (item: Item): string {
  if (!isPictured(item)) return 'text'
  const { images = [] } = item
  return images.length > 1 && images.every(({ time }) => time !== undefined) ? 'image-sequence' : 'image'
}

/** Without exponents and indices, which are no values that are given. */
function plainOf (text: string): string {
  return text.replaceAll(/[\^_]\{[^{}]{0,20}\}/gu, '')
}

function skillOf (item: Item, text: string): string {
  const numbers = numbersIn(text)
  const inStem = numbersIn(plainOf(item.question)).length
  const numericChoices = (item.choices ?? []).filter(choice => /^[^\p{L}]{0,4}\d/u.test(choice.text)).length
  const computes = calculates.test(item.question) && (inStem > 0 || numericChoices > 1) && numbers.length > 1
  if (computes) return inStem > 2 || severalSteps.test(item.question) ? 'multi-step' : 'calculation'
  if (isPictured(item) && reads.test(item.question)) return 'chart-reading'
  return 'recall'
}

function difficultyOf ({ question, choices = [] }: Item, text: string, skill: string): string {
  const units = numbersIn(text).filter(({ unit = '' }) => isUnitSymbol(unit)).length
  const points = { recall: 0, 'chart-reading': 1, calculation: 1, 'multi-step': 2 }[skill]! +
    (/않|아닌|틀린|\bnot\b|except/iu.test(question) ? 1 : 0) +
    (question.length > 200 || units > 4 ? 1 : 0) + (choices.length > 4 ? 1 : 0)
  return points === 0 ? 'easy' : points < 3 ? 'medium' : 'hard'
}

function subdomainOf (text: string, subdomains: StepOf<'tag'>['subdomains']): string | undefined {
  const folded = text.toLowerCase()
  const countOf = (words: readonly string[]) =>
    words.filter(word => folded.includes(word.toLowerCase())).length
  const counts = subdomains.map(({ name, words }) => ({ name, count: countOf(words) }))
    .sort((a, b) => b.count - a.count)
  const [first, second] = counts
  return first === undefined || first.count === 0 || first.count === second?.count ? undefined : first.name
}
