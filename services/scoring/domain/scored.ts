/** One prediction beside its item: what it is worth, before anything is averaged. */
import { descriptiveAnswer } from '../../../shared/answers/outcome.ts'
import type { Item, ItemKind } from '../../../shared/contracts/item.ts'
import type { Outcome, Prediction } from '../../../shared/contracts/run.ts'
import type { Floor } from './floor.ts'
import { bleuCounts, bleuOf, type BleuCounts } from './metrics/bleu.ts'
import type { RougeScores } from './metrics/rouge.ts'
import { numberRecall, saidIn, saidInReference, termRecall } from './recall.ts'
import { scoreRouge, sentenceOptions } from './text-metrics.ts'

/** Error (infrastructure) and skipped (the model cannot take it) say nothing about the model. */
export function isCounted (outcome: Outcome): boolean {
  return outcome !== 'error' && outcome !== 'skipped'
}

interface ScoredBase {
  itemId: string
  kind: ItemKind
  outcome: Outcome
  /** Its paper; an item of a bank is a cluster of its own. */
  cluster: string
  pairId: string | null
  slices: Record<string, string>
}

export interface ScoredChoice extends ScoredBase {
  kind: 'binary' | 'choice'
  /** Read leniently; null unless answered. */
  answerIndex: number | null
  referenceIndex: number
  correct: boolean
  strictCorrect: boolean
  /** Whether the reply has the format asked for. */
  adheres: boolean
}

export interface ScoredText extends ScoredBase {
  kind: 'qa' | 'vqa'
  /** Fractions; of a reply that is no answer, 0. Null when not counted. */
  rouge: RougeScores | null
  /** 0 to 100. */
  sentenceBleu: number | null
  bleu: BleuCounts | null
  /** Tokens of the reply by tokens of the reference; null unless answered. */
  lengthRatio: number | null
  /** Shares of what the reference says; null when not counted, or when it has no number (term). */
  numberRecall: number | null
  termRecall: number | null
  /** Null where the paper has no other reference. */
  floor: Floor | null
}

export type Scored = ScoredChoice | ScoredText

/** @param floor  of a descriptive item: see `floorOf` */
export function scorePrediction (prediction: Prediction, item: Item, floor: Floor | null = null): Scored {
  const { itemId, outcome, slices } = prediction
  const base = {
    itemId, outcome, slices, cluster: prediction.paperId ?? itemId, pairId: prediction.pairId ?? null
  }
  if (item.kind === 'binary' || item.kind === 'choice') {
    return { ...base, kind: item.kind, ...readingsOf(prediction, item.answerIndex ?? -1) }
  }
  return { ...base, kind: item.kind, ...textScores(prediction, item.answer ?? ''), floor }
}

function readingsOf ({ outcome, lenient, strict }: Prediction, referenceIndex: number) {
  const answered = outcome === 'answered'
  const answerIndex = answered ? lenient?.index ?? null : null
  const adheres = isCounted(outcome) && strict !== null &&
    strict.index !== null && strict.violation === undefined
  return {
    answerIndex,
    referenceIndex,
    correct: answerIndex === referenceIndex,
    strictCorrect: answered && adheres && strict.index === referenceIndex,
    adheres
  }
}

/** A reply that is refused, cut or empty scores as an empty one: else abstaining would pay. */
function textScores ({ outcome, reply }: Prediction, reference: string) {
  if (!isCounted(outcome)) {
    return {
      rouge: null, sentenceBleu: null, bleu: null, lengthRatio: null, numberRecall: null, termRecall: null
    }
  }
  const text = outcome === 'answered' ? descriptiveAnswer(reply ?? '') : ''
  const bleu = bleuCounts({ prediction: text, references: [reference] })
  const lengthRatio = outcome === 'answered' && bleu.refLen > 0 ? bleu.sysLen / bleu.refLen : null
  const [said, replied] = [saidInReference(reference), saidIn(text)]
  return {
    rouge: scoreRouge(text, [reference]),
    sentenceBleu: bleuOf(bleu, sentenceOptions).score,
    bleu,
    lengthRatio,
    numberRecall: numberRecall(said, replied),
    termRecall: termRecall(said, replied)
  }
}
