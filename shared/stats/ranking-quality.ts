/** How well a ranked list finds what it looks for. */

export interface Ranked {
  /** Higher comes first. */
  score: number
  /** Whether it is one of those looked for. */
  wanted: boolean
}

/**
 * Share of wanted ones among the first k; where equal scores reach over place k, as expected of all
 * their orders.
 *
 * @returns null for an empty list or k below 1; fewer than k are taken as they are
 */
export function precisionAtK (list: readonly Ranked[], k: number): number | null {
  const places = Math.min(k, list.length)
  if (places < 1) return null
  let [taken, found] = [0, 0]
  for (const { size, wanted } of groupsOf(list)) {
    const share = Math.min(1, (places - taken) / size)
    found += share * wanted
    taken += size
    if (taken >= places) break
  }
  return found / places
}

/**
 * Area under the precision-recall curve as average precision: steps at each score, no interpolation.
 *
 * @returns null where nothing is wanted
 * @see Davis & Goadrich 2006, doi:10.1145/1143844.1143874 (why not by straight lines)
 */
export function averagePrecision (list: readonly Ranked[]): number | null {
  const all = list.filter(({ wanted }) => wanted).length
  if (all === 0) return null
  let [taken, found, area] = [0, 0, 0]
  for (const { size, wanted } of groupsOf(list)) {
    taken += size
    found += wanted
    area += wanted / all * found / taken
  }
  return area
}

/** Groups of equal scores, the highest first: how many, and how many wanted. */
function groupsOf (list: readonly Ranked[]): Array<{ size: number, wanted: number }> {
  const groups = new Map<number, { size: number, wanted: number }>()
  for (const { score, wanted } of list) {
    const own = groups.get(score) ?? { size: 0, wanted: 0 }
    groups.set(score, { size: own.size + 1, wanted: own.wanted + (wanted ? 1 : 0) })
  }
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group)
}
