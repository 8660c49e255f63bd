/** What a question is given besides itself: text for the prompt, and what is kept of it. */
import type { GivenHint, GivenRationale, RationaleFault } from '../../../../shared/contracts/given-reasoning.ts'
import { sha256 } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { Condition, Prediction } from '../../../../shared/contracts/run.ts'
import type { Prompt } from '../../../../shared/prompts/prompt.ts'
import { codePointsIn } from '../../../../shared/text/code-points.ts'
import type { Question } from '../question.ts'
import { faultIn } from './faults.ts'
import { hintOf } from './hint.ts'
import { firstPart, writtenRationale } from './written-rationale.ts'

export interface Given {
  /** Values of the prompts that are added. */
  values: { notes?: string, suggestion?: string }
  provenance: { rationale?: GivenRationale, hint?: GivenHint }
}

export interface Asked {
  item: Item
  question: Question
  condition: Condition
  /** Of the same item in the run that the rationale is from; not needed for a hint. */
  source?: Prediction | undefined
  /** The prompt that is added for it. */
  added: Prompt | undefined
}

/** @returns nothing to add where the condition asks for nothing; why the item is skipped, as a sentence */
export function givenTo (asked: Asked): Given | { skipped: string } {
  const { condition: { rationale, hint, seed }, item, question, added } = asked
  if (added === undefined) return { values: {}, provenance: {} }
  const { name: prompt, hash: promptHash } = added
  if (rationale !== undefined) return rationaleFor(asked, { prompt, promptHash })
  const found = hintOf(item, question, { hint: hint!, seed })
  if ('skipped' in found) return found
  return { values: { suggestion: found.label }, provenance: { hint: { prompt, promptHash, ...found } } }
}

interface By { prompt: string, promptHash: string }

function rationaleFor ({ item, condition, source }: Asked, by: By): Given | { skipped: string } {
  const { rationaleFrom: runId = '' } = condition
  if (source === undefined || source.reply === null) return { skipped: `Run ${runId} has no reply to the item, ${source?.outcome ?? 'not asked'}; there is no rationale to give back.` }
  const whole = writtenRationale(source.reply)
  if (whole === null) return { skipped: `The reply of run ${runId} has no scratchpad that ends and no rationale before its answer.` }
  const part = partOf(whole, item, condition)
  if ('skipped' in part) return part
  const { text, share, fault } = part
  return {
    values: { notes: text },
    provenance: {
      rationale: {
        runId,
        ...by,
        sourceHash: sha256(whole),
        hash: sha256(text),
        chars: codePointsIn(text),
        charsOf: codePointsIn(whole),
        share,
        fault
      }
    }
  }
}

interface Part { text: string, share: number | null, fault: RationaleFault | null }

function partOf (whole: string, { id }: Item, condition: Condition): Part | { skipped: string } {
  const { rationale, rationaleShare: share = 1, seed } = condition
  if (rationale === 'truncated') return { text: firstPart(whole, share), share, fault: null }
  const faulty = faultIn(whole, `${seed}/fault/${id}`)
  if (faulty === null) return { skipped: 'No number, direction or unit stands in the rationale that a rule can make wrong, apart from sentences that name the answer.' }
  const { injected, control, fault } = faulty
  return { text: rationale === 'error-injected' ? injected : control, share: null, fault }
}
