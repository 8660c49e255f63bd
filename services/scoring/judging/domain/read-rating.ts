/** What came of asking a judge: a rating, or which outcome it was that left none. */
import type { Asked } from '../../../../shared/clients/ask-for-value.ts'
import type { Rating } from '../../../../shared/contracts/judgement.ts'
import { readPreference, readScores, totalOf } from './rubric.ts'
import type { Asking, JudgementSpec, Unit } from './spec.ts'

/** Of a rating, what is not known before the judge is asked. */
export type Came = Pick<Rating, 'outcome'> & Partial<Rating>

interface Place { spec: JudgementSpec, unit: Unit, asking: Asking }

export function blankRating (judgementId: string, { spec, unit, asking }: Place): Omit<Rating, 'outcome'> {
  return {
    judgementId,
    predictionIds: unit.predictionIds,
    itemId: unit.itemId,
    judge: spec.judges[asking.judge]!.name,
    repeat: asking.repeat,
    swapped: asking.swapped,
    scores: null,
    total: null,
    preferred: null,
    errors: [],
    reasons: {},
    detail: null,
    leftOut: [],
    usage: {},
    provenance: null
  }
}

/** In no mean, and replaced when it is asked again. */
export function errorRating (blank: Omit<Rating, 'outcome'>, detail: string): Rating {
  return { ...blank, outcome: 'error', detail }
}

interface Read { spec: JudgementSpec, swapped: boolean, leftOut: string[] }

/**
 * The repair turn has been had by now. A reply that cannot be counted keeps its outcome and its reason, and
 * has no scores: neither -1 nor the least nor any others stand in for them.
 */
export function readRating (
  { outcome, value, hasValue, reason, usage, provenance }: Omit<Asked<unknown>, 'dropped'>, { spec, swapped, leftOut }: Read
): Came {
  const { upstreamVersion, seed, requestHash, sampleIndex = 0, sampling } = provenance
  const [{ name: prompt, hash: promptHash } = { name: '', hash: '' }] = spec.prompts
  const came = {
    outcome,
    leftOut,
    usage,
    provenance: {
      prompt,
      promptHash,
      rubricHash: spec.rubricHash,
      model: provenance.model!,
      upstreamVersion,
      sampling: sampling!,
      seed,
      sampleIndex,
      requestHash
    }
  }
  if (outcome !== 'answered' || !hasValue) {
    const wrong = reason?.errors.slice(0, 6).map(({ pointer, detail }) => `${pointer}: ${detail}`) ?? []
    const detail = [reason?.detail ?? whyNone[outcome] ?? 'It held no value.', ...wrong].join(' ')
    return { ...came, outcome: outcome === 'answered' ? 'unparsable' : outcome, detail }
  }
  return spec.form === 'scores'
    ? { ...came, ...withScores(value, spec) }
    : { ...came, ...withPreference(value, { spec, swapped }) }
}

const whyNone: Record<string, string> = {
  refused: 'The judge declined to judge.',
  truncated: 'The judge\'s reply was cut before its end; raise sampling.maxTokens.'
}

function withScores (value: unknown, { rubric }: JudgementSpec): Came {
  const read = readScores(value, rubric)
  if (read.faults !== undefined) return { outcome: 'unparsable', detail: read.faults.join(' ') }
  const { scores, reasons, errors } = read
  return { outcome: 'answered', scores, total: totalOf(rubric, scores), reasons, errors }
}

function withPreference (value: unknown, { spec, swapped }: { spec: JudgementSpec, swapped: boolean }): Came {
  const read = readPreference(value)
  if (read.faults !== undefined) return { outcome: 'unparsable', detail: read.faults.join(' ') }
  const [first, second] = swapped ? [...spec.runIds].reverse() : spec.runIds
  const preferred = read.preference === 'tie' ? 'tie' : read.preference === 'A' ? first! : second!
  return { outcome: 'answered', preferred, reasons: { preference: read.reason } }
}
