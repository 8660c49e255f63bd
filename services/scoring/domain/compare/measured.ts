/** The metrics by which runs are compared item by item, and what one prediction is worth by each. */
import type { ComparedMetric } from '../../../../shared/contracts/comparison.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { isCounted, type Scored, type ScoredChoice, type ScoredText } from '../scored.ts'
import { rougeSignatureReported, sentenceSignature } from '../text-metrics.ts'
import { numberRecallSignature, termRecallSignature } from '../recall.ts'

export interface Measured {
  metric: ComparedMetric
  signature: string
  /** Kinds of items it is defined for. */
  kinds: readonly ItemKind[]
  /** Values are 0 or 1. */
  proportion: boolean
  range: readonly [low: number, high: number]
  /** One unit is a minimal pair, right when both its members are. */
  perPair: boolean
  /** Null where the item does not count or the metric says nothing of it. */
  valueOf: (row: Scored) => number | null
}

const headline = 'wrong:unparsable,refused,truncated|excluded:error,skipped|viva:1'
const zeros = 'zero:unparsable,refused,truncated|excluded:error,skipped|viva:1'
const closed: readonly ItemKind[] = ['binary', 'choice']
const open: readonly ItemKind[] = ['qa', 'vqa']

function ofChoices (metric: ComparedMetric, reading: string, is: (row: ScoredChoice) => boolean): Measured {
  return {
    metric,
    signature: `${reading}|${headline}`,
    kinds: closed,
    proportion: true,
    range: [0, 1],
    perPair: metric === 'pairAccuracy',
    valueOf: row => isChoice(row) && isCounted(row.outcome) ? Number(is(row)) : null
  }
}

interface TextMetric { metric: ComparedMetric, signature: string, top?: number }

function ofTexts (
  { metric, signature, top = 1 }: TextMetric, of: (row: ScoredText) => number | null
): Measured {
  return {
    metric,
    signature: `${signature}|${zeros}`,
    kinds: open,
    proportion: false,
    range: [0, top],
    perPair: false,
    valueOf: row => isChoice(row) || !isCounted(row.outcome) ? null : of(row)
  }
}

const rouge = (type: 'rouge1' | 'rouge2' | 'rougeL') =>
  ofTexts({ metric: `${type}.fmeasure`, signature: rougeSignatureReported }, row => row.rouge?.[type]?.fmeasure ?? null)

const table: readonly Measured[] = [
  ofChoices('accuracy', 'reading:lenient', row => row.correct),
  ofChoices('accuracy.strict', 'reading:strict', row => row.strictCorrect),
  { ...ofChoices('pairAccuracy', 'reading:lenient|right:both members|unit:pair', row => row.correct), kinds: ['binary'] },
  {
    ...ofChoices('responseRate', 'over:all but error,skipped', row => row.outcome === 'answered'),
    kinds: [...closed, ...open],
    valueOf: row => isCounted(row.outcome) ? Number(row.outcome === 'answered') : null
  },
  ofChoices('formatAdherence', 'reading:strict|over:all but error,skipped', row => row.adheres),
  rouge('rouge1'),
  rouge('rouge2'),
  rouge('rougeL'),
  ofTexts({ metric: 'bleu.sentence', signature: sentenceSignature, top: 100 }, row => row.sentenceBleu),
  ofTexts({ metric: 'numberRecall', signature: numberRecallSignature }, row => row.numberRecall),
  ofTexts({ metric: 'termRecall', signature: termRecallSignature }, row => row.termRecall)
]

export function measuredBy (metric: ComparedMetric): Measured {
  return table.find(measured => measured.metric === metric)!
}

export function isChoice (row: Scored): row is ScoredChoice {
  return row.kind === 'binary' || row.kind === 'choice'
}
