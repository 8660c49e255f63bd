/** The replies of a run held against other gold, or read by other rules: no model is asked. */
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Condition, Prediction, VerdictChange } from '../../../shared/contracts/run.ts'
import { blankPrediction } from './plan.ts'
import { questionOf, type Wording } from './question.ts'
import { readReply } from './read-reply.ts'
import { worthOf } from './report/examples.ts'
import { scorePrediction } from './scored.ts'

/** By what an item is known again in another benchmark: all that its prompt is made of. */
function promptKey (item: Item, condition: Condition): string {
  const { contentMode, prompt } = condition
  const question = questionOf(item, asWritten(condition))
  const { kind, text, place, figureIds, choices, language, ofBank } = question
  return canonicalJson({
    kind,
    text,
    place,
    figureIds,
    choices,
    images: item.choices?.map(({ imageId = null }) => imageId) ?? [],
    // Left out where there are none, so that keys of items of papers stay as they are.
    ...item.images !== undefined && { stem: item.images },
    language: prompt === 'standard' && !ofBank ? null : language,
    source: 'documentHash' in item.source ? item.source.documentHash : null,
    evidence: contentMode === 'oracle' ? item.evidence.map(({ quote }) => quote) : []
  })
}

/** The choices in the order of the item: the one shown stands with the prediction. */
function asWritten ({ formulation, probe }: Condition): Wording {
  return { formulation, ...probe !== undefined && { probe } }
}

/**
 * For each item of `target` the one of `source` that had the same prompt: the one under the same id
 * where it is one of several.
 *
 * @returns `sourceOf`: ids of source items by target id; `unasked`: target items that have none
 */
export function matchItems (
  { source, target }: { source: readonly Item[], target: readonly Item[] }, condition: Condition
): { sourceOf: Map<string, string>, unasked: Item[] } {
  const asked = new Map<string, Set<string>>()
  for (const item of source) {
    const key = promptKey(item, condition)
    asked.set(key, (asked.get(key) ?? new Set()).add(item.id))
  }
  const sourceOf = new Map<string, string>()
  const unasked: Item[] = []
  for (const item of target) {
    const ids = asked.get(promptKey(item, condition))
    if (ids === undefined) unasked.push(item)
    else sourceOf.set(item.id, ids.has(item.id) ? item.id : [...ids][0]!)
  }
  return { sourceOf, unasked }
}

interface Carrying { runId: string, item: Item, condition: Condition }

/**
 * The prediction of another run as one of this item, its reply read anew. What was stored before orders
 * of choices were kept and shows permuted ones cannot be read anew: its reading stays, and its reader.
 */
export function carried (before: Prediction, { runId, item, condition }: Carrying): Prediction {
  const { choiceOrder, provenance, outcome, reply, reader = 1 } = before
  const { id, itemId, paperId, kind, slices, pairId } = blankPrediction(runId, item)
  const { pairId: _, ...rest } = before
  const moved = { ...rest, id, runId, itemId, paperId, kind, slices, ...pairId !== undefined && { pairId } }
  const orderLost = kind === 'choice' && condition.permutationSeed !== undefined && reader === 1
  if (reply === null || orderLost) return moved
  const question = questionOf(item, asWritten(condition))
  const order = choiceOrder ?? question.order
  const shown = { kind, order, choices: order.map(place => question.choices[place]!) }
  // Before these were kept, the outcome says as much of them as is known.
  const finishReason = provenance?.finishReason ?? (outcome === 'truncated' ? 'length' : 'stop')
  const refusal = provenance?.refusal ?? outcome === 'refused'
  const asked = before.confidence === undefined ? {} : { confidence: 'verbal' as const }
  return { ...moved, ...readReply(shown, { content: reply, finishReason, refusal }, asked) }
}

interface Side { prediction: Prediction, item: Item }

/** What became of one item's verdict; null where it is the same. */
export function verdictChange (before: Side, after: Side): VerdictChange | null {
  const [old, now] = [sideOf(before), sideOf(after)]
  if (old.outcome === now.outcome && old.worth === now.worth) return null
  const gold = old.reference !== now.reference
  const reading = old.outcome !== now.outcome || old.index !== now.index
  return {
    itemId: after.item.id,
    sourceItemId: before.item.id,
    kind: after.item.kind,
    causes: [...gold ? ['gold' as const] : [], ...reading ? ['reading' as const] : []],
    before: old,
    after: now
  }
}

function sideOf ({ prediction, item }: Side): VerdictChange['before'] {
  const { outcome, lenient } = prediction
  return {
    outcome,
    index: outcome === 'answered' ? lenient?.index ?? null : null,
    reference: item.answerIndex ?? item.answer ?? null,
    worth: worthOf(scorePrediction(prediction, item))
  }
}
