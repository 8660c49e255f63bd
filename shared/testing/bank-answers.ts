/** Answers of simulated models to a simulated bank, whose right answers are known whatever its keys say. */
import type { KeyedItem } from '../stats/miskey.ts'
import { drawsOf, type Draws } from '../stats/draws.ts'
import type { Item } from '../contracts/item.ts'
import type { Plant, Planted, RawBank } from './raw-bank.ts'

export interface AnsweringModels {
  models: number
  /** Models of a family share a preference among an item's wrong choices. */
  families: number
  seed: number
}

export interface AnsweredBank {
  /** In the order of the bank. */
  keyed: KeyedItem[]
  /** Whether the key is wrong: of planted miskeyed items, and of turned ones whose key was forgotten. */
  wrong: boolean[]
  /** In logits, as the chance of an answer has them. */
  abilities: number[]
  /** Standard deviation of difficulties on the same scale. */
  spread: number
}

/** A logit of ability above difficulty counts so much. */
const slope = 1.2
/** Of those who miss, who take the choice that lures all, and that of their family; the rest take any. */
const lured = { all: 0.35, family: 0.25 }

interface QuestionFacts { difficulty: number, lure: number, preferred: number[] }

/**
 * Who knows finds the right choice, by ability and difficulty; the others guess or are lured. Another print
 * of a question is as hard and lures alike; turned round it is another question.
 */
export function answersTo ({ items, planted }: RawBank, given: AnsweringModels): AnsweredBank {
  const { models, families, seed } = given
  const draws = drawsOf(seed)
  const family = Array.from({ length: models }, (_, model) => model % families)
  const base = Array.from({ length: families }, () => 0.7 * draws.normal())
  const abilities = family.map(own => 0.5 + base[own]! + 0.7 * draws.normal())
  const itemById = new Map(items.map(item => [item.id, item]))
  const plantOf = new Map(planted.map(each => [each.id, each]))
  const known = new Map<string, QuestionFacts>()
  const rows = items.map(item => {
    const plant = plantOf.get(item.id)
    const origin = plant === undefined ? undefined : originOf(plant, itemById)
    const question = origin === undefined || origin.isTurned ? item.id : origin.item.id
    const { difficulty, lure, preferred } = known.get(question) ?? factsOf(draws, families)
    known.set(question, { difficulty, lure, preferred })
    const right = rightIn(item, origin)
    const wrongOnes = byText(item).filter(at => at !== right)
    const answers = abilities.map((ability, model) => answerOf(draws, {
      knows: slope * (ability - difficulty), right, wrongOnes, lure, own: preferred[family[model]!]!
    }))
    const choices = item.choices!.length
    return { keyed: { key: item.answerIndex!, choices, answers }, wrong: right !== item.answerIndex }
  })
  return {
    keyed: rows.map(({ keyed }) => keyed),
    wrong: rows.map(({ wrong }) => wrong),
    abilities: abilities.map(ability => slope * ability),
    spread: slope
  }
}

function factsOf (draws: Draws, families: number): QuestionFacts {
  const preferred = Array.from({ length: families }, () => draws.below(3))
  return { difficulty: draws.normal(), lure: draws.below(3), preferred }
}

function originOf ({ of, plant }: Planted, itemById: ReadonlyMap<string, Item>): Origin {
  return { item: itemById.get(of)!, plant, isTurned: plant === 'turned' || plant === 'swapped' }
}

interface Origin { item: Item, plant: Plant, isTurned: boolean }

/** Index of the right choice; turned round, it is the one after that which was right before. */
function rightIn ({ choices, answerIndex }: Item, origin: Origin | undefined): number {
  if (origin === undefined || (!origin.isTurned && origin.plant !== 'miskeyed')) return answerIndex!
  const before = origin.item.choices!
  const { text } = before[(origin.item.answerIndex! + Number(origin.isTurned)) % before.length]!
  return choices!.findIndex(each => each.text === text)
}

/** Places of the choices in the order of their texts, which is the same in every print. */
function byText ({ choices }: Item): number[] {
  return [...choices!.keys()].sort((a, b) => choices![a]!.text < choices![b]!.text ? -1 : 1)
}

interface Facing { knows: number, right: number, wrongOnes: number[], lure: number, own: number }

function answerOf (draws: Draws, { knows, right, wrongOnes, lure, own }: Facing): number {
  const chance = 1 / (wrongOnes.length + 1)
  if (draws.next() < chance + (1 - chance) / (1 + Math.exp(-knows))) return right
  const u = draws.next()
  if (u < lured.all) return wrongOnes[lure % wrongOnes.length]!
  return wrongOnes[u < lured.all + lured.family ? own % wrongOnes.length : draws.below(wrongOnes.length)]!
}
