/** Which replies people should label: runs of every tier, items of every difficulty and category. */
import { inHashOrder, sha256 } from '../../../../../shared/contracts/hash.ts'
import type { LabelSample, LabelSampleRequest } from '../../../../../shared/contracts/meta-evaluation.ts'
import { meanOf } from '../summary/judged.ts'
import { groupedBy } from '../summary/numbers.ts'

/** One prediction as the judges rated it: the mean of their totals. */
export interface RatedReply {
  predictionId: string
  run: number
  itemId: string
  category: string
  total: number
}

export interface Population { runIds: readonly string[], replies: readonly RatedReply[] }

const difficulties = [{ name: 'hard', share: 3 }, { name: 'mid', share: 4 }, { name: 'easy', share: 3 }] as const
const tiers = ['low', 'mid', 'top'] as const

/**
 * Deterministic in the seed. Inclusion probabilities are exact: runs are a simple random choice within their
 * tier, items a systematic one within their difficulty, likelier the more the runs differ on them, in the
 * order of categories, so that these are covered in proportion.
 *
 * @see Madow 1949, doi:10.1214/aoms/1177729988 (systematic sampling with unequal probabilities)
 */
export function labelSample (population: Population, asked: LabelSampleRequest): LabelSample {
  const runs = chosenRuns(population, asked)
  const items = asked.design === 'probability' ? drawnItems(population, asked) : extremeItems(population, asked)
  const at = new Map(population.replies.map(reply => [`${reply.run} ${reply.itemId}`, reply]))
  const predictions = runs.flatMap(run => items.flatMap(item => {
    const reply = at.get(`${run.place} ${item.itemId}`)
    if (reply === undefined) return []
    const { predictionId, itemId } = reply
    const inclusionProbability = run.probability === null || item.probability === null
      ? null
      : run.probability * item.probability
    return [{ predictionId, itemId, inclusionProbability }]
  }))
  return {
    runs: runs.map(({ place, ...run }) => run),
    items,
    predictions: inHashOrder(predictions, ({ predictionId }) => `${asked.seed} ${predictionId}`),
    missing: runs.length * items.length - predictions.length,
    notes: [asked.design === 'probability'
      ? 'Pass inclusionProbability back with each label: means are then weighted by its inverse.'
      : 'Chosen and not drawn: what is found holds for these replies, and says nothing of the others.']
  }
}

type ChosenRun = LabelSample['runs'][number] & { place: number }

function chosenRuns (
  { runIds, replies }: Population, { runs: count, design, seed }: LabelSampleRequest
): ChosenRun[] {
  const means = [...groupedBy(replies, ({ run }) => String(run)).values()]
    .map(own => ({ place: own[0]!.run, mean: meanOf(own.map(({ total }) => total)) }))
    .sort((a, b) => a.mean - b.mean || a.place - b.place)
  const sizes = parts(means.length, [1, 1, 1])
  const counts = allotted(count, sizes)
  const stretches = slices(means, sizes)
  return tiers.flatMap((tier, i) => {
    const own = stretches[i]!
    const drawn = inHashOrder(own, ({ place }) => `${seed} run ${runIds[place]}`).slice(0, counts[i])
    const probability = design === 'probability' ? counts[i]! / own.length : null
    return drawn.sort((a, b) => a.mean - b.mean || a.place - b.place)
      .map(({ place, mean }) => ({ place, runId: runIds[place]!, tier, mean, probability }))
  })
}

interface Item { itemId: string, category: string, mean: number, sd: number }
type ChosenItem = LabelSample['items'][number]

/** From hard to easy, in three parts of 3 : 4 : 3. */
function itemsByDifficulty (
  { replies }: Population, count: number
): Array<{ name: ChosenItem['difficulty'], own: Item[], count: number }> {
  const items = [...groupedBy(replies, ({ itemId }) => itemId).values()].map((own): Item => {
    const mean = meanOf(own.map(({ total }) => total))
    const squares = own.reduce((sum, { total }) => sum + (total - mean) ** 2, 0)
    const [{ itemId, category }] = own as [RatedReply]
    return { itemId, category, mean, sd: own.length < 2 ? 0 : Math.sqrt(squares / (own.length - 1)) }
  }).sort((a, b) => a.mean - b.mean || (a.itemId < b.itemId ? -1 : 1))
  const shares = difficulties.map(({ share }) => share)
  const sizes = parts(items.length, shares)
  const counts = allotted(count, sizes, shares)
  const stretches = slices(items, sizes)
  return difficulties.map(({ name }, i) => ({ name, own: stretches[i]!, count: counts[i]! }))
}

function drawnItems (population: Population, { items: count, seed }: LabelSampleRequest): ChosenItem[] {
  return itemsByDifficulty(population, count).flatMap(({ name, own, count }) => {
    const order = inHashOrder(own, ({ itemId }) => `${seed} ${itemId}`)
      .sort((a, b) => a.category < b.category ? -1 : a.category > b.category ? 1 : 0)
    const probabilities = inclusionProbabilities(order.map(({ sd }) => sd), count)
    const start = Number.parseInt(sha256(`${seed} start ${name}`).slice(0, 12), 16) / 2 ** 48
    return systematic(probabilities, start).map(i => (
      { ...order[i]!, difficulty: name, probability: probabilities[i]! }))
  })
}

/** An item on which all runs are alike is a quarter as likely as the average one, and not impossible. */
const floorShare = 0.25

/** In proportion to size, at most 1, and `count` together. */
export function inclusionProbabilities (sizes: readonly number[], count: number): number[] {
  if (count >= sizes.length) return sizes.map(() => 1)
  const mean = sizes.length === 0 ? 0 : meanOf(sizes)
  const raised = sizes.map(size => mean > 0 ? Math.max(size, floorShare * mean) : 1)
  const certain = new Set<number>()
  for (;;) {
    const rest = raised.reduce((sum, size, i) => certain.has(i) ? sum : sum + size, 0)
    const scale = (count - certain.size) / rest
    const over = raised.flatMap((size, i) => !certain.has(i) && size * scale >= 1 ? [i] : [])
    if (over.length === 0) return raised.map((size, i) => certain.has(i) ? 1 : size * scale)
    for (const i of over) certain.add(i)
  }
}

/** Those in whose stretch of the sum one of start, start + 1, start + 2, … falls. @param start  in [0, 1) */
export function systematic (probabilities: readonly number[], start: number): number[] {
  let [sum, next] = [0, start]
  return probabilities.flatMap((probability, i) => {
    sum += probability
    if (sum <= next + 1e-12) return []
    next++
    return [i]
  })
}

/** The category that has the fewest so far comes next, and of it the item on which runs differ most. */
function extremeItems (population: Population, { items: count }: LabelSampleRequest): ChosenItem[] {
  const taken = new Map<string, number>()
  const of = ({ category }: Item) => taken.get(category) ?? 0
  return itemsByDifficulty(population, count).flatMap(({ name, own, count }) => {
    const left = [...own]
    return Array.from({ length: Math.min(count, own.length) }, () => {
      left.sort((a, b) => of(a) - of(b) || b.sd - a.sd || (a.itemId < b.itemId ? -1 : 1))
      const next = left.shift()!
      taken.set(next.category, of(next) + 1)
      return { ...next, difficulty: name, probability: null }
    })
  })
}

/** One after the other. */
function slices<T> (all: readonly T[], sizes: readonly number[]): T[][] {
  let from = 0
  return sizes.map(size => {
    from += size
    return all.slice(from - size, from)
  })
}

/** `total` in parts of these shares, whole, largest remainders first. */
export function parts (total: number, shares: readonly number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0)
  const exact = shares.map(share => total * share / sum)
  const whole = exact.map(Math.floor)
  const order = [...shares.keys()].sort((a, b) => (exact[b]! - whole[b]!) - (exact[a]! - whole[a]!) || a - b)
  const rest = total - whole.reduce((all, part) => all + part, 0)
  for (const i of order.slice(0, rest)) whole[i]!++
  return whole
}

/** As many of each as there are at most; what one has not goes to the others. */
function allotted (
  count: number, sizes: readonly number[], shares: readonly number[] = sizes.map(() => 1)
): number[] {
  const given = parts(Math.min(count, sizes.reduce((sum, size) => sum + size, 0)), shares)
  const counts = given.map((part, i) => Math.min(part, sizes[i]!))
  let rest = given.reduce((sum, part, i) => sum + part - counts[i]!, 0)
  while (rest > 0) {
    const i = sizes.findIndex((size, at) => counts[at]! < size)
    counts[i]!++
    rest--
  }
  return counts
}
