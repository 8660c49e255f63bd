/** Models whose truth is known: what tests and benches of the evaluation protocol plant and look for. */
import type { Draws } from '../../../shared/stats/draws.ts'

export interface PlantedItem { item: string, value: number }

const right = (chance: number, draws: Draws) => Number(draws.next() < chance)

/** Of items that all depend on their setting: chances of being right, before an item's own difficulty. */
export interface RegionKnowledge {
  items: number
  /** Explicit wording and standard prompt. */
  knows: number
  /** What implicit wording costs, and what the advanced prompt gives back of it. */
  gap: number
  hint: number
  /** What the advanced prompt is worth by itself. */
  role: number
}

/** What `factorial` should find of them. */
export function regionTruth ({ gap, hint, role }: RegionKnowledge) {
  return { wording: gap - hint / 2, prompt: role + hint / 2, interaction: -hint }
}

export function regionCells (model: string, planted: RegionKnowledge, draws: Draws) {
  const { items, knows, gap, hint, role } = planted
  const own = Array.from({ length: items }, () => (draws.next() - 0.5) * 0.2)
  return ['implicit', 'explicit'].flatMap(formulation => ['standard', 'advanced'].map(prompt => {
    const advanced = Number(prompt === 'advanced')
    const chance = knows + advanced * role - (formulation === 'implicit' ? gap - advanced * hint : 0)
    return { model, levels: { formulation, prompt }, items: own.map((shift, i) => ({ item: `i${i}`, value: right(chance + shift, draws) })) }
  }))
}

/** Chances of being right by what is shown. */
export interface Eyes { real: number, none: number, wrong: number, described: number }

export const plantedEyes = {
  seeing: { real: 0.75, none: 0.45, wrong: 0.4, described: 0.6 },
  'caption-reading': { real: 0.45, none: 0.45, wrong: 0.45, described: 0.7 },
  blind: { real: 0.45, none: 0.45, wrong: 0.45, described: 0.45 }
} satisfies Record<string, Eyes>

export interface Shown {
  eyes: Eyes
  items: number
  /** Chance that an item's draw is the same under all conditions, as at temperature 0; else drawn anew. */
  sticks: number
}

export function imageCells (model: string, { eyes, items, sticks }: Shown, draws: Draws) {
  const kept = Array.from({ length: items }, () => draws.next())
  return (['real', 'none', 'wrong', 'described'] as const).map(image => ({
    model,
    image,
    items: kept.map((own, i) => {
      const draw = draws.next() < sticks ? own : draws.next()
      return { item: `i${i}`, value: Number(draw < eyes[image]) }
    })
  }))
}

/** What a model has by heart of the originals, and how much harder their versions are for anyone. */
export interface Memory {
  items: number
  knows: number
  /** Share of the originals whose answer it has by heart. */
  byHeart: number
  /** Share of those that it still knows again in other words, or with choices in another order. */
  recognises: { paraphrased: number, shuffled: number }
  harder: number
}

/** What is had by heart is given for an isomorph too, and is wrong there. Items are from 2003 to 2022. */
export function memoryCells (model: string, planted: Memory, draws: Draws) {
  const { items, knows, byHeart, recognises, harder } = planted
  const own = Array.from({ length: items }, (_, i) => ({
    // Older items have been read more often.
    heart: draws.next() < 2 * byHeart * (1 - i / items),
    again: draws.next(),
    chance: knows + (draws.next() - 0.5) * 0.4
  }))
  return (['original', 'paraphrased', 'shuffled', 'isomorph'] as const).map(version => ({
    model,
    version,
    items: own.map(({ heart, again, chance }, i) => {
      const recalled = heart && (version === 'original' || version === 'isomorph' || again < recognises[version])
      const solved = right(chance - (version === 'original' || version === 'shuffled' ? 0 : harder), draws)
      const at = 2003 + Math.floor(20 * i / items)
      return { item: `i${i}`, value: recalled ? Number(version !== 'isomorph') : solved, at }
    })
  }))
}

const forgets = { paraphrased: 0.5, shuffled: 0.5 }
export const plantedMemory = {
  memoriser: { knows: 0.5, byHeart: 0.3, recognises: forgets, harder: 0.05 },
  honest: { knows: 0.6, byHeart: 0, recognises: forgets, harder: 0.05 }
} satisfies Record<string, Omit<Memory, 'items'>>
