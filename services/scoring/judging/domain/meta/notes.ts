/** What a reader must know of a meta-evaluation, and what changes from one judgement to another. */
import type { JudgeHeld, MetaEvaluation } from '../../../../../shared/contracts/meta-evaluation.ts'

/** A claim about the order of models needs so many. */
const modelsLeast = 10
const papersFew = 5

interface Noted {
  judges: readonly JudgeHeld[]
  raters: readonly string[]
  weighted: boolean
  /** Of the labelled replies. */
  papers: number
}

export function metaNotes ({ judges, raters, weighted, papers }: Noted): string[] {
  const models = Math.max(0, ...judges.map(({ modelLevel }) => modelLevel.n))
  const notes: Array<[boolean, string]> = [
    [true, 'Agreement over means of models flatters a judge: read it beside that over replies, within items, and beside what people reach among themselves.'],
    [models < modelsLeast, `The order of ${models} models is too little for a claim: it takes ${modelsLeast}.`],
    [raters.length < 2, 'One rater: how far people agree is not known.'],
    [!weighted, 'Labels have no inclusion probabilities: what is found holds for the labelled replies.'],
    [papers < papersFew, `The labelled replies are of ${papers} papers: intervals say nothing of others.`]
  ]
  return notes.filter(([holds]) => holds).map(([, note]) => note)
}

type Change = NonNullable<MetaEvaluation['compared']>['change'][number]

/** Of judges that both have: first minus second; null where either has no number. */
export function changeOf (first: readonly JudgeHeld[], second: readonly JudgeHeld[]): Change[] {
  return first.flatMap((one): Change[] => {
    const other = second.find(({ judge }) => judge === one.judge)
    if (other === undefined) return []
    const change = (read: (held: JudgeHeld) => number | null): number | null => {
      const [a, b] = [read(one), read(other)]
      return a === null || b === null ? null : a - b
    }
    return [{
      judge: one.judge,
      modelLevel: change(held => held.modelLevel.tauB),
      responseLevel: change(held => held.responseLevel.tauB),
      withinItem: change(held => held.withinItem.accuracy),
      alpha: change(held => held.scales.at(-1)!.alpha.value),
      bias: change(held => held.bias.value)
    }]
  })
}
