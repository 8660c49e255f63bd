/** Why a run cannot give a rationale back or suggest an answer. */
import type { Benchmark } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { Condition } from '../../../../shared/contracts/run.ts'

/** By the condition and the items alone; undefined when it can. */
export function whyNotGiven (
  { benchmark, items }: { benchmark: Benchmark, items: readonly Item[] }, condition: Condition
): string | undefined {
  const { rationale, rationaleFrom, rationaleShare, hint, probe, prompt, thinking, confidence } = condition
  if (rationale === undefined) {
    if (rationaleFrom !== undefined || rationaleShare !== undefined) return 'condition.rationaleFrom and rationaleShare say what condition.rationale gives back; set that to truncated, error-injected or error-control, or leave them out.'
    if (hint === undefined) return undefined
  }
  if (!items.some(({ kind }) => kind === 'binary' || kind === 'choice')) {
    return `No item of benchmark ${benchmark.id} is yes/no or multiple-choice, and condition.rationale and hint are about those.`
  }
  if (probe !== undefined) return 'condition.probe takes away what a rationale or a hint is about; leave one of them out.'
  if (rationale === undefined) return undefined
  if (hint !== undefined) return 'condition.rationale and condition.hint would both change the answer; ask for one at a time.'
  if (rationaleFrom === undefined) return 'condition.rationale gives back what the model wrote in another run; name that run in condition.rationaleFrom.'
  if (rationale === 'truncated' && rationaleShare === undefined) return 'condition.rationale "truncated" needs condition.rationaleShare, from 0 to 1.'
  if (rationale !== 'truncated' && rationaleShare !== undefined) return `condition.rationaleShare is of "truncated"; a rationale that is "${rationale}" ends with a sentence. Leave it out.`
  if (prompt !== 'reasoning') return 'condition.rationale goes with condition.prompt "reasoning", which the rationale was written under.'
  if (thinking) return 'condition.thinking would let the model reason anew before it answers from its rationale; set it to false.'
  if (confidence === 'verbal') return 'condition.confidence asks for a line that the prompts of condition.rationale leave out; leave it out.'
  return undefined
}

/** All that decides what the model is shown. Thinking is not: a source may have thought. */
const shownParts = [
  'contentMode', 'contentTokensMax', 'prompt', 'formulation', 'figures', 'images', 'sequence', 'permutationSeed'
] as const

interface Source { model: string, benchmarkId: string, condition: Condition }

/** Why the rationale of a run cannot be given back in another one; undefined when it can. */
export function whyNotSource (runId: string, source: Source, asked: Source): string | undefined {
  const { model, benchmarkId, condition } = asked
  if (source.benchmarkId !== benchmarkId) return `Run ${runId} is of benchmark ${source.benchmarkId}; condition.rationaleFrom names a run of the same one.`
  if (source.model !== model) return `Run ${runId} is of ${source.model}; a model is given back its own rationale.`
  const { rationale, hint, probe } = source.condition
  if ((rationale ?? hint ?? probe) !== undefined) return `Run ${runId} was itself asked under condition.rationale, hint or probe; name one that was not.`
  // Which other image, and which order of images, follow from the seed.
  const seeded = condition.images === 'wrong' || condition.sequence === 'shuffled'
  const other = [...shownParts, ...seeded ? ['seed' as const] : []]
    .filter(part => canonicalJson(source.condition[part] ?? null) !== canonicalJson(condition[part] ?? null))
  if (other.length > 0) return `Run ${runId} was shown its questions otherwise (${other.join(', ')}); ask under the same parts of the condition.`
  return undefined
}
