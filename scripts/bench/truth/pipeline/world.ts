/**
 * A world whose truth is known: models of two abilities in families, and papers with multiple-choice items
 * that are harder in one paper than in another. Whatever a reply is drawn from is in here, by seed.
 */
import { sha256 } from '../../../../shared/contracts/hash.ts'
import { seededRandom } from '../../../../shared/testing/random.ts'

export const choicesEach = 4
const guessing = 1 / choicesEach
/** Standard deviations, in logits. */
const spread = { paper: 0.6, item: 1, family: 0.7, model: 0.5, figures: 0.4 }
/** Share of replies from which nobody can read an answer; they are wrong. */
export const unreadableShare = 0.03
const aspects = ['section', 'figure'] as const

type Aspect = typeof aspects[number]

export interface SimulatedModel { name: string, family: string, ability: Record<Aspect, number> }

export interface SimulatedItem {
  number: number
  paper: number
  aspect: Aspect
  difficulty: number
  /** In words; errors of a server grow with it. */
  length: number
  answerIndex: number
}

/** @returns a normal deviate, from the words alone (Box and Muller 1958, doi:10.1214/aoms/1177706645) */
export function normalOf (...words: Array<string | number>): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawOf(...words, 'radius')))
  return radius * Math.cos(2 * Math.PI * drawOf(...words, 'angle'))
}

/** @returns in [0, 1), from the words alone */
export function drawOf (...words: Array<string | number>): number {
  return seededRandom(parseInt(sha256(JSON.stringify(words)).slice(0, 8), 16)).next()
}

export function simulatedModels (seed: number, count: number): SimulatedModel[] {
  return Array.from({ length: count }, (_, i) => {
    const family = `family-${i % 3}`
    const own = (what: string) => normalOf(seed, what, i)
    const general = spread.family * normalOf(seed, family) + spread.model * own('model')
    const name = `model-${i}`
    const figure = general - 0.3 + spread.figures * own('figures')
    return { name, family, ability: { section: general, figure } }
  })
}

export interface Size { papers: number, itemsOfPaper: number }

export function simulatedItems (seed: number, { papers, itemsOfPaper }: Size): SimulatedItem[] {
  return Array.from({ length: papers * itemsOfPaper }, (_, number) => {
    const paper = Math.floor(number / itemsOfPaper)
    const difficulty = spread.paper * normalOf(seed, 'paper', paper) + spread.item * normalOf(seed, 'item', number)
    return {
      number,
      paper,
      aspect: aspects[number % aspects.length]!,
      difficulty,
      // Long items are the hard ones: errors that grow with length are not at random.
      length: Math.max(5, Math.round(40 + 20 * difficulty + 10 * normalOf(seed, 'length', number))),
      answerIndex: Math.floor(drawOf(seed, 'key', number) * choicesEach)
    }
  })
}

export function chanceOf (
  { ability }: SimulatedModel, { aspect, difficulty }: Pick<SimulatedItem, 'aspect' | 'difficulty'>
): number {
  const known = 1 / (1 + Math.exp(difficulty - ability[aspect]))
  return (1 - unreadableShare) * (guessing + (1 - guessing) * known)
}

/** Accuracy over all papers and items there could be: what an interval over papers is about. */
export function expectedAccuracy (model: SimulatedModel): number {
  const deviation = Math.hypot(spread.paper, spread.item)
  const steps = 400
  let [sum, weight] = [0, 0]
  for (let i = 0; i <= steps; i++) {
    const z = -6 + 12 * i / steps
    const density = Math.exp(-z * z / 2)
    weight += density
    const difficulty = deviation * z
    for (const aspect of aspects) sum += density / aspects.length * chanceOf(model, { aspect, difficulty })
  }
  return sum / weight
}

export interface Asking { seed: number, model: SimulatedModel, item: SimulatedItem, repeat: number }

/** @param letterOf  of a choice as the prompt shows it */
export function replyOf ({ seed, model, item, repeat }: Asking, letterOf: (index: number) => string): string {
  const words = [seed, model.name, item.number, repeat]
  if (drawOf(...words, 'unreadable') < unreadableShare) return 'There is no way to tell.'
  const right = drawOf(...words, 'right') < chanceOf(model, item) / (1 - unreadableShare)
  const other = 1 + Math.floor(drawOf(...words, 'wrong') * (choicesEach - 1))
  const letter = letterOf(right ? item.answerIndex : (item.answerIndex + other) % choicesEach)
  const forms = [`Answer: ${letter}`, `The answer is (${letter}).`, `**${letter}**`, `<think>Perhaps another one.</think>\nAnswer: ${letter}`]
  return forms[Math.floor(drawOf(...words, 'form') * forms.length)]!
}

/** Whether the server never answers this: the longer the item, the likelier. */
export function isLost ({ seed, model, item }: Omit<Asking, 'repeat'>, share: number): boolean {
  return drawOf(seed, model.name, item.number, 'lost') < share * 2 / (1 + Math.exp((45 - item.length) / 10))
}
