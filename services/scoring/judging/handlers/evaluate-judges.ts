/** Holds the judges of a judgement against the labels that people gave. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JudgeHeld, MetaEvaluation } from '../../../../shared/contracts/meta-evaluation.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { HeldReply, LabelledReply } from '../domain/meta/labelled.ts'
import { ceilingOf, holdJudge, type Holding } from '../domain/meta/meta-evaluation.ts'
import { changeOf, metaNotes } from '../domain/meta/notes.ts'
import type { JudgementSpec } from '../domain/spec.ts'
import { overJudges, overRepeats, type JudgedUnit, type Rated } from '../domain/summary/judged.ts'
import { judgementReader } from './get-judgement.ts'
import type { JudgementParts } from './parts.ts'
import { mustHaveEnded } from './read-ratings.ts'
import { readScores } from './read-rows.ts'

type ReadParts = Pick<JudgementParts, 'jobs' | 'judging'>

export interface MetaAsked { epsilon: number, against?: string }

interface Labelled extends LabelledReply { unit: JudgedUnit }

/**
 * @throws Problem judgement-not-found; not-finished; not-computable without labels; conflict for another
 * rubric
 */
export async function evaluateJudges (
  parts: ReadParts, judgementId: string, { epsilon, against }: MetaAsked
): Promise<MetaEvaluation> {
  const { spec, units } = await readEnded(parts, judgementId)
  const { raters, labels, weighted } = await readLabels(parts, judgementId, spec)
  if (labels.size === 0) {
    throw new Problem('not-computable', `Nobody has labelled anything of it; POST /v1/judgements/${judgementId}/samples draws what to label, …/human-labels keeps the labels.`)
  }
  const replies = besideLabels(units, labels)
  const holding = { rubric: spec.rubric, runIds: spec.runIds, raters, epsilon }
  const judges = await holdAll(replies, spec, holding)
  const compared = against === undefined || against === judgementId
    ? null
    : await compare(parts, { against, spec, labels, holding })
  return {
    judgementId,
    reference: spec.reference,
    raters,
    labelled: labels.size,
    runs: distinct(replies, ({ run }) => run),
    items: distinct(replies, ({ item }) => item),
    weights: weighted ? 'inverse-probability' : 'equal',
    judges,
    ceiling: ceilingOf(replies, holding),
    compared: compared === null ? null : { ...compared, change: changeOf(judges, compared.judges) },
    notes: metaNotes({ judges, raters, weighted, papers: distinct(replies, ({ cluster }) => cluster) })
  }
}

function distinct (replies: readonly Labelled[], read: (reply: Labelled) => unknown): number {
  return new Set(replies.map(read)).size
}

async function readEnded (parts: ReadParts, judgementId: string) {
  const { spec } = await judgementReader(parts).job(judgementId)
  await mustHaveEnded(parts, judgementId)
  if (spec.form !== 'scores') throw new Problem('not-computable', 'People label scores, and this judgement has preferences.')
  const { units } = await readScores(parts.judging, { judgementId, spec })
  return { spec, units }
}

interface Label { people: Array<Rated | null>, weight: number }

async function readLabels ({ judging }: ReadParts, judgementId: string, { rubric }: JudgementSpec) {
  const found = []
  for await (const some of judging.labelsOf(judgementId)) found.push(...some.map(({ value }) => value))
  const raters = [...new Set(found.map(({ rater }) => rater))].sort()
  const weighted = found.every(({ inclusionProbability }) => inclusionProbability !== undefined)
  const labels = new Map<string, Label>()
  for (const { rater, predictionId, scores, total, inclusionProbability = 1 } of found) {
    const weight = weighted ? 1 / inclusionProbability : 1
    const label = labels.get(predictionId) ?? { people: raters.map(() => null), weight }
    label.people[raters.indexOf(rater)] = { values: rubric.criteria.map(({ name }) => scores[name]!), total }
    labels.set(predictionId, label)
  }
  return { raters, labels, weighted }
}

function besideLabels (units: readonly JudgedUnit[], labels: ReadonlyMap<string, Label>): Labelled[] {
  return units.flatMap(each => {
    const { predictionIds: [predictionId = ''], runs: [run = 0], itemId: item, cluster } = each.unit
    const label = labels.get(predictionId)
    return label === undefined ? [] : [{ ...label, unit: each, run, item, cluster }]
  })
}

/** Every judge and, of several, the panel; others have their turn in between. */
async function holdAll (
  replies: readonly Labelled[], { judges }: JudgementSpec, holding: Omit<Holding, 'judge'>
): Promise<JudgeHeld[]> {
  const readers: Array<{ judge: string, read: (unit: JudgedUnit) => Rated | null }> = [
    ...judges.map(({ name: judge }, place) => (
      { judge, read: ({ ratings }: JudgedUnit) => overRepeats(ratings[place] ?? []) })),
    ...judges.length < 2 ? [] : [{ judge: 'panel mean', read: (unit: JudgedUnit) => overJudges(unit, 'mean') }]
  ]
  const held: JudgeHeld[] = []
  for (const { judge, read } of readers) {
    const rated = replies.flatMap(({ unit, ...reply }): HeldReply[] => {
      const judge = read(unit)
      return judge === null ? [] : [{ ...reply, judge }]
    })
    held.push(holdJudge(rated, { ...holding, judge }))
    await nextTurn()
  }
  return held
}

interface Against {
  against: string
  spec: JudgementSpec
  labels: ReadonlyMap<string, Label>
  holding: Omit<Holding, 'judge'>
}

/** Another judgement of the same replies by the same rubric, for example without the rationale. */
async function compare (parts: ReadParts, { against, spec, labels, holding }: Against) {
  const other = await readEnded(parts, against)
  if (other.spec.rubricHash !== spec.rubricHash) {
    throw new Problem('conflict', `Judgement ${against} has another rubric: its scores cannot be held against these labels.`)
  }
  const replies = besideLabels(other.units, labels)
  const judges = await holdAll(replies, other.spec, { ...holding, runIds: other.spec.runIds })
  return { judgementId: against, reference: other.spec.reference, judges }
}
