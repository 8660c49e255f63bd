/** Has a model rewrite a unit from what was objected to it, or shorten its answer. */
import type { Check, Item, Provenance } from '../../../shared/contracts/item.ts'
import { allPassed, checkUnit, settleUnit } from '../domain/check-unit.ts'
import { feedbackFor } from '../domain/loop/feedback.ts'
import type { Objection, Step } from '../domain/loop/loop.ts'
import { applyRewrite, formOf, rewriteSchema, rewriteValues, textOf, type RewriteForm } from '../domain/loop/rewrite.ts'
import { askModel } from './ask-model.ts'
import type { UnitParts, UnitWork } from './unit-parts.ts'

export type WriteStep = Extract<Step, { ask: 'rewrite' | 'shorten' }>
type Fault = Omit<Objection, 'round'>

/** A new text with its checks; or why there is none, and the draft where there was one. */
export type Draft =
  | { items: Item[], checks: Check[][], faults?: never }
  | { faults: Fault[], items: Item[] | null, checks: Check[][], provenance: Provenance | null }

/**
 * One call. What comes back is checked as every item is; what fails is not taken.
 *
 * @param seen  texts that this unit had before, by `textOf`: a text that comes again is no new version
 */
export async function askRewrite (
  parts: UnitParts, work: UnitWork, { step, seen }: { step: WriteStep, seen: ReadonlySet<string> }
): Promise<Draft> {
  const { items } = step.from
  const form = step.ask === 'shorten' ? 'short' : formOf(items)
  if (form === null) return { ...nothing, faults: [{ about: 'form', reason: 'No text can mend this item: its choices are images, or its pair is broken.' }] }
  const answer = await askModel(parts, work, {
    prompt: parts.prompts.rewrite[form],
    values: rewriteValues(form, items, feedbackFor(step.round, step.ask === 'rewrite' ? step.objections : [])),
    item: items[0]!,
    schema: rewriteSchema(form, items),
    as: 'model',
    purpose: step.ask,
    asking: { round: step.round },
    sampleIndex: 0
  })
  const { provenance } = answer
  if (answer.outcome !== 'answered' || !answer.hasValue) {
    const reason = answer.outcome === 'refused' ? 'The model declined.' : answer.reason?.detail ?? 'It held no JSON object.'
    return { ...nothing, provenance, faults: [{ about: answer.outcome, reason }] }
  }
  const applied = applyRewrite({ form, value: answer.value }, items, work.document)
  if ('fault' in applied) return { ...nothing, provenance, faults: [applied.fault] }
  const written = applied.items.map(item => ({ ...item, provenance: { ...provenance, rule: ruleOf[form] } }))
  return checked(written, { work, seen, provenance })
}

const nothing = { items: null, checks: [], provenance: null }

const ruleOf: Record<RewriteForm, string> = {
  descriptive: 'rewrite', choice: 'rewrite', pair: 'rewrite', short: 'shorten'
}

interface Checking { work: UnitWork, seen: ReadonlySet<string>, provenance: Provenance }

function checked (items: Item[], { work, seen, provenance }: Checking): Draft {
  const checks = settleUnit(items, checkUnit(items, work.document), null)
  const failed = checks.flat().filter(check => !check.passed)
  if (!checks.every(allPassed)) {
    const faults = failed.map(({ name, detail }) => ({ about: name, reason: detail }))
    return { items, checks, provenance, faults }
  }
  if (seen.has(items.map(textOf).join('\n'))) {
    return { items, checks, provenance, faults: [{ about: 'repeated', reason: 'This very text was reviewed before.' }] }
  }
  return { items: items.map((item, i) => ({ ...item, checks: checks[i]! })), checks }
}
