/** Whether a model would pass the exam, and with what probability in a sitting of it. */
import { Type, type Static } from 'typebox'
import { logGamma } from '../../../../shared/stats/special.ts'
import { isChoice } from '../compare/measured.ts'
import { isCounted } from '../scored.ts'
import { analysis, assertDistinct, assertPossible, Name, RightOf, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'
import { assertClosedItems, leftOutNotes } from './closed-items.ts'

const PassTable = Type.Object({
  models: Type.Array(Type.Object({
    model: Name, subjects: Type.Record(Name, RightOf)
  }, { additionalProperties: false }), { minItems: 1, maxItems: 1_000 })
}, { additionalProperties: false })
type PassTable = Static<typeof PassTable>

const options = {
  rule: Type.Object({
    average: Type.Number({ minimum: 0, maximum: 100, default: 60 }),
    eachSubject: Type.Number({ minimum: 0, maximum: 100, default: 40 }),
    questionsPerSubject: Type.Integer({ minimum: 1, maximum: 500, default: 20 })
  }, { additionalProperties: false, default: {}, description: 'At least this many per cent on average, and in each subject.' }),
  dimension: Type.Optional(Name)
}
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const passing = analysis({
  summary: 'Whether a model passes by a rule on the average and on each subject, and the probability of passing one sitting',
  rows: 'One row a model: items, average, weakest subject, whether all items together pass, and the exact probability that a sitting of so many questions a subject does.',
  table: PassTable,
  options,
  example: { table: { models: [{ model: 'a', subjects: { forecast: { right: 279, n: 364 }, observation: { right: 247, n: 318 } } }] } },
  compute: passingOf,
  fromRuns,
  notesOfRuns: (runs, { dimension = 'subject' }) => leftOutNotes(runs, dimension)
})

const subjectsMax = 50
const noSubject = 'no yes/no or multiple-choice item of a subject'
const nothing = { average: null, weakest: null, weakestSubject: null, passes: null, passProbability: null }

export function passingOf ({ models }: PassTable, { rule }: Pick<Options, 'rule'>): Found {
  assertDistinct(models.map(({ model }) => model), '/table/models')
  const rows = models.map(({ model, subjects }, at): Row => {
    const parts = Object.entries(subjects).sort(([a], [b]) => a < b ? -1 : 1)
    if (parts.length > subjectsMax) throw wrong(`/table/models/${at}/subjects`, `Give at most ${subjectsMax} subjects.`)
    for (const [name, counts] of parts) assertPossible(counts, `/table/models/${at}/subjects/${name}`)
    const empty = parts.find(([, { n }]) => n < rule.questionsPerSubject)
    const n = parts.reduce((sum, [, counts]) => sum + counts.n, 0)
    if (parts.length === 0) return { model, n, ...nothing, reason: noSubject }
    const shares = parts.map(([name, { right, n }]) => ({ name, share: n === 0 ? NaN : 100 * right / n }))
    if (shares.some(({ share }) => Number.isNaN(share))) {
      return { model, n, ...nothing, reason: 'a subject has no item' }
    }
    const average = shares.reduce((sum, { share }) => sum + share, 0) / shares.length
    const weakest = shares.reduce((least, each) => each.share < least.share ? each : least)
    return {
      model,
      n,
      average,
      weakest: weakest.share,
      weakestSubject: weakest.name,
      passes: reaches(average, rule.average) && reaches(weakest.share, rule.eachSubject),
      passProbability: empty === undefined ? probability(parts.map(([, counts]) => counts), rule) : null,
      reason: empty === undefined ? '' : `subject ${empty[0]} has ${empty[1].n} items, and a sitting asks ${rule.questionsPerSubject}`
    }
  })
  return {
    rows,
    summary: { models: models.length, passing: rows.filter(({ passes }) => passes === true).length, ...rule },
    notes: ['Subjects weigh the same, however many items they have. A sitting draws its questions from these items without replacement (hypergeometric), each subject by itself; the probability is exact and says nothing of other questions.']
  }
}

/** Thirds of a per cent add up to a little less than the 60 that they are. */
const rounding = 1e-9

function reaches (share: number, least: number): boolean {
  return share >= least - rounding
}

/** What is less probable is left out: over all subjects and sums that adds up to less than 1e-24. */
const massMin = 1e-30

/** Probabilities of from, from + 1, … */
interface Masses { from: number, masses: Float64Array }

/** Over the sums that subjects with enough right answers can come to. */
function probability (subjects: readonly RightOf[], { average, eachSubject, questionsPerSubject: asked }: Options['rule']): number {
  const least = Math.ceil(eachSubject * asked / 100 - rounding)
  const needed = Math.ceil(average * asked * subjects.length / 100 - rounding)
  let sums: Masses = { from: 0, masses: Float64Array.of(1) }
  for (const { right, n } of subjects) {
    const own = hypergeometric({ right, n, asked })
    const skipped = Math.max(0, least - own.from)
    sums = convolved(sums, { from: own.from + skipped, masses: own.masses.subarray(skipped) })
  }
  const from = Math.max(0, needed - sums.from)
  return Math.min(1, sums.masses.subarray(from).reduce((all, mass) => all + mass, 0))
}

function convolved (a: Masses, b: Masses): Masses {
  if (a.masses.length === 0 || b.masses.length === 0) return { from: 0, masses: new Float64Array(0) }
  const next = new Float64Array(a.masses.length + b.masses.length - 1)
  // Hundreds of millions of steps: an iterator's pair for each would take ten times as long.
  for (let k = 0; k < b.masses.length; k++) {
    const mass = b.masses[k]!
    for (let sum = 0; sum < a.masses.length; sum++) next[sum + k]! += a.masses[sum]! * mass
  }
  let [start, end] = [0, next.length]
  while (start < end && next[start]! < massMin) start++
  while (end > start && next[end - 1]! < massMin) end--
  return { from: a.from + b.from + start, masses: next.subarray(start, end) }
}

/** Right answers among those asked: outwards from the most probable number, each from its neighbour. */
function hypergeometric ({ right, n, asked }: { right: number, n: number, asked: number }): Masses {
  const [lowest, highest] = [Math.max(0, asked - (n - right)), Math.min(right, asked)]
  const mode = Math.min(highest, Math.max(lowest, Math.floor((asked + 1) * (right + 1) / (n + 2))))
  const most = Math.exp(logChoose(right, mode) + logChoose(n - right, asked - mode) - logChoose(n, asked))
  const stepUp = (k: number) => (right - k) * (asked - k) / ((k + 1) * (n - right - asked + k + 1))
  const below: number[] = []
  for (let [k, mass] = [mode, most]; k > lowest && mass >= massMin; k--) below.push(mass /= stepUp(k - 1))
  const above: number[] = []
  for (let [k, mass] = [mode, most]; k < highest && mass >= massMin; k++) above.push(mass *= stepUp(k))
  return { from: mode - below.length, masses: Float64Array.from([...below.reverse(), most, ...above]) }
}

function logChoose (n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
}

function fromRuns (runs: readonly AnalysedRun[], { dimension = 'subject' }: { dimension?: string }): PassTable {
  assertClosedItems(runs, dimension)
  return {
    models: runs.map(({ name, rows }) => {
      const subjects = new Map<string, RightOf>()
      for (const row of rows) {
        const value = row.slices[dimension]
        if (value === undefined || !isChoice(row)) continue
        // A subject none of whose items counts is one without data, not one that is not asked.
        const counts = subjects.get(value) ?? { right: 0, n: 0 }
        subjects.set(value, counts)
        if (!isCounted(row.outcome)) continue
        counts.n += 1
        counts.right += Number(row.correct)
      }
      if (subjects.size > subjectsMax) {
        throw wrong('/dimension', `The items of "${name}" have ${subjects.size} values of the dimension "${dimension}"; a pass rule is of at most ${subjectsMax} subjects.`)
      }
      return { model: name, subjects: Object.fromEntries(subjects) }
    })
  }
}
