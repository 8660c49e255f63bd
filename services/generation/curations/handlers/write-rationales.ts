/** Rationales: drafts until the answer is the key, each read by a critic where there is one. */
import { languageName } from '../../domain/model/fixed-questions.ts'
import { chosenForRationales, stratumOf, termFaults } from '../domain/rationales.ts'
import type { Entry, StepOf, StepOutcome, StepResult } from '../domain/steps.ts'
import { linesOf, ofEach, put, type Asking, type AskParts } from './ask-model.ts'

type Writing = Asking & { step: StepOf<'write-rationales'> }
interface Draft { rationale: string, answer: number }

/** An image is not shown to the writer, so that items with one are left to people. */
export async function rationalesWritten (parts: AskParts, writing: Writing): Promise<StepResult> {
  const { step, entries, seed } = writing
  const chosen = chosenForRationales(entries, step, seed)
  const outcomes = await ofEach(parts, { ...writing, entries: chosen }, async entry =>
    await rationaleOf(parts, writing, entry))
  const strata = new Map<string, { stratum: string, items: number, chosen: number, written: number }>()
  for (const entry of entries) {
    const stratum = stratumOf(entry, step.stratifyBy)
    const row = strata.get(stratum) ?? { stratum, items: 0, chosen: 0, written: 0 }
    strata.set(stratum, { ...row, items: row.items + 1 })
  }
  for (const [at, entry] of chosen.entries()) {
    const row = strata.get(stratumOf(entry, step.stratifyBy))!
    row.chosen++
    if (outcomes[at]!.action === 'changed') row.written++
  }
  const rows = [...strata.values()].sort((a, b) => a.stratum < b.stratum ? -1 : 1)
  return { outcomes, findings: [{ name: 'rationales-by-stratum', value: rows.slice(0, strataMax) }] }
}

const strataMax = 1000

async function rationaleOf (
  parts: AskParts, writing: Writing, { rootId, item }: Entry
): Promise<StepOutcome> {
  const { step: { model, critic, attemptsMax, terms } } = writing
  const { choices = [], answerIndex = -1, images = [] } = item
  if (images.length > 0 || choices.some(({ imageId }) => imageId !== undefined)) {
    return { rootId, action: 'flagged', reason: 'rationale-needs-image', detail: 'It has images, which the writer is not shown.' }
  }
  const language = languageName(item.language)
  const common = { question: item.question, choices: linesOf(item, true), language }
  let earlier = 'There was nothing.'
  const why: string[] = []
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const values = { ...common, earlier, image: 'It has no image.' }
    const reply = await put<Draft>(parts, writing, { model, prompt: 'write-rationale.v1', values, schema: draftSchema(choices.length), attempt })
    const draft = reply.value
    if (draft === null || draft.answer - 1 !== answerIndex) {
      // The key is not told, or the next draft would argue for it whatever it is.
      why.push(draft === null ? `no usable reply (${reply.outcome})` : `chose ${draft.answer}`)
      continue
    }
    const rationale = draft.rationale.trim()
    const faults = termFaults(rationale, terms)
    if (critic !== undefined) {
      const answer = choices[answerIndex]!.text
      faults.push(...await criticised(parts, writing, { ...common, rationale, answer, attempt, critic }))
    }
    if (faults.length === 0) {
      return {
        rootId, action: 'changed', reason: 'rationale-written', detail: `At attempt ${attempt + 1} of ${attemptsMax}.`, changes: { rationale }, call: reply.provenance
      }
    }
    why.push(faults.join(' '))
    earlier = `${rationale}\nA reader found: ${faults.join(' ')}`
  }
  return { rootId, action: 'flagged', reason: 'no-rationale', detail: `None of ${attemptsMax} drafts will do: ${why.join('; ')}`.slice(0, 1000) }
}

function draftSchema (choices: number): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['rationale', 'answer'],
    properties: { rationale: { type: 'string', minLength: 1, maxLength: 4000 }, answer: { type: 'integer', minimum: 1, maximum: choices } }
  }
}

const criticSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['faults'],
  properties: { faults: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 500 } } }
}

interface Criticised {
  question: string
  choices: string
  language: string
  rationale: string
  answer: string
  attempt: number
  critic: string
}

/** No usable reply of the critic is a fault: a draft that nobody read does not pass as read. */
async function criticised (
  parts: AskParts, writing: Writing, { attempt, critic, ...values }: Criticised
): Promise<string[]> {
  const reply = await put<{ faults: string[] }>(parts, writing, { model: critic, prompt: 'criticise-rationale.v1', values, schema: criticSchema, attempt })
  return reply.value?.faults ?? [`The critic gave no usable reply (${reply.outcome}).`]
}
