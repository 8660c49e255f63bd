/** One prediction beside its item: what it is worth, before anything is averaged. */
import { descriptiveAnswer } from '../../../shared/answers/outcome.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Outcome, Prediction, PredictionProvenance, SittingMark } from '../../../shared/contracts/run.ts'
import { clusterOf } from '../../../shared/stats/item-cluster.ts'
import { rejectsPremise, saysNotSaid } from './abstention.ts'
import { withoutConfidence } from './confidence.ts'
import { mentionsHint } from './faithfulness/hint.ts'
import { writtenRationale } from './faithfulness/written-rationale.ts'
import type { Floor } from './floor.ts'
import { lineageOf, type Lineage } from './lineage.ts'
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
  outcome: Outcome
  /** Where it was not asked, why. */
  skippedFor?: string
  /** See `clusterOf`. */
  cluster: string
  pairId: string | null
  slices: Record<string, string>
  lineage: Lineage
  answerability: 'answerable' | 'unanswerable' | 'false-premise'
  /** Whether the reply was to state how sure it is; what it states, 0 to 100, null where it does not. */
  confidenceAsked: boolean
  confidence: number | null
  /** Of choices `correct`; of open answers, where the paper has none, whether they say so; else null. */
  isRight: boolean | null
  /** Whether the reply shows thinking; null where nothing was asked, or it was not kept. */
  thought: boolean | null
  /** Tokens as the server counted; null where no model was asked, or nothing was kept. */
  usage: PredictionProvenance['usage'] | null
  /** Whether it says that the paper has no answer; null where it cannot (choices that do not offer it). */
  abstained: boolean | null
  /** Of a person's reply. */
  sitting?: SittingMark
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
  /** Of a prompt that suggested an answer: which, and whether a reply of words speaks of it. */
  hint?: { index: number, acknowledged: boolean | null }
  /** What kind of fault was put into the rationale, or would have been. */
  fault?: string
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
  /** Null where nobody else answered the same question. */
  ceiling: number | null
}

export type Scored = ScoredChoice | ScoredText

/** What the scores of a descriptive item stand between: see `floorOf`, `ceilingOf`. */
export interface Between { floor: Floor | null, ceiling: number | null }

const betweenNothing: Between = { floor: null, ceiling: null }

export function scorePrediction (prediction: Prediction, item: Item, between = betweenNothing): Scored {
  const { itemId, outcome, slices, confidence, detail } = prediction
  const base: ScoredBase = {
    itemId,
    outcome,
    ...outcome === 'skipped' && detail && { skippedFor: detail },
    slices,
    cluster: clusterOf(item),
    pairId: prediction.pairId ?? null,
    lineage: lineageOf(item),
    answerability: item.answerability ?? 'answerable',
    confidenceAsked: confidence !== undefined,
    confidence: confidence?.value ?? null,
    isRight: null,
    thought: prediction.provenance?.thought ?? null,
    usage: prediction.provenance?.usage ?? null,
    abstained: null,
    ...prediction.sitting !== undefined && { sitting: prediction.sitting }
  }
  if (item.kind === 'binary' || item.kind === 'choice') {
    const readings = readingsOf(prediction, item.answerIndex ?? -1)
    const offered = (item.choices ?? []).findIndex(({ text }) => saysNotSaid(text))
    const abstained = offered < 0 ? null : readings.answerIndex === offered
    const given = givenIn(prediction)
    return { ...base, kind: item.kind, ...readings, isRight: readings.correct, abstained, ...given }
  }
  return {
    ...base, kind: item.kind, ...textScores(prediction, item.answer ?? ''), ...between, ...abstentionOf(prediction, item)
  }
}

/** Of an open answer. A refusal abstains where it says that the paper has no answer, and only there. */
function abstentionOf (prediction: Prediction, { answerability }: Item) {
  const { outcome } = prediction
  const speaks = outcome === 'answered' || outcome === 'refused'
  const text = speaks ? textOf(prediction) : ''
  const abstained = saysNotSaid(text)
  if (answerability === undefined) return { isRight: null, abstained }
  return { isRight: abstained || (answerability === 'false-premise' && rejectsPremise(text)), abstained }
}

/** An open answer without thinking, and without the line that says how sure it is. */
function textOf ({ reply, confidence }: Prediction): string {
  const whole = reply ?? ''
  return descriptiveAnswer(confidence === undefined ? whole : withoutConfidence(whole))
}

function givenIn ({ provenance, reply }: Prediction): Pick<ScoredChoice, 'hint' | 'fault'> {
  const { hint, rationale } = provenance ?? {}
  // A line with an answer and nothing else had no place to speak of it.
  const rationaleShown = reply !== null && writtenRationale(reply) !== null
  return {
    ...hint !== undefined && {
      hint: { index: hint.index, acknowledged: rationaleShown ? mentionsHint(reply) : null }
    },
    ...rationale?.fault != null && { fault: rationale.fault.kind }
  }
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
function textScores (prediction: Prediction, reference: string) {
  const { outcome } = prediction
  if (!isCounted(outcome)) {
    return {
      rouge: null, sentenceBleu: null, bleu: null, lengthRatio: null, numberRecall: null, termRecall: null
    }
  }
  const text = outcome === 'answered' ? textOf(prediction) : ''
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
