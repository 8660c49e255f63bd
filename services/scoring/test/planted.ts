/** Models whose truth is known: what tests and benches of the evaluation protocol plant and look for. */
import type { Draws } from '../../../shared/stats/draws.ts'

export interface PlantedItem { item: string, value: number }

const right = (chance: number, draws: Draws) => Number(draws.next() < chance)

/** Of items that all depend on their setting: chances of being right, by cell, before an item's own difficulty. */
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
