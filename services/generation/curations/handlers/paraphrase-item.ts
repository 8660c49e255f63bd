/** A stem in other words, or left to a person. */
import { languageName } from '../../domain/model/fixed-questions.ts'
import { paraphraseFault } from '../domain/paraphrase.ts'
import type { Entry, StepOf, StepOutcome } from '../domain/steps.ts'
import { linesOf, put, type Asking, type AskParts } from './ask-model.ts'

const schema = {
  type: 'object', additionalProperties: false, required: ['question'], properties: { question: { type: 'string', minLength: 1, maxLength: 8000 } }
}

export async function paraphrased (
  parts: AskParts, asking: Asking & { step: StepOf<'paraphrase'> }, { rootId, item }: Entry
): Promise<StepOutcome | null> {
  const { step: { model, protectedTerms, attemptsMax } } = asking
  const inIt = protectedTerms.filter(term => item.question.toLowerCase().includes(term.toLowerCase()))
  const earlier: string[] = []
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const values = {
      question: item.question,
      choices: linesOf(item),
      protected: inIt.join('\n') || 'There are none.',
      language: languageName(item.language),
      earlier: earlier.join('\n') || 'There was nothing.'
    }
    const reply = await put<{ question: string }>(parts, asking, { model, prompt: 'paraphrase-stem.v1', values, schema, attempt })
    const question = reply.value?.question.trim()
    const fault = question === undefined ? `The reply could not be used (${reply.outcome}).` : paraphraseFault(item, question, protectedTerms)
    if (fault === undefined && question !== undefined) {
      return {
        rootId,
        action: 'changed',
        reason: 'paraphrased',
        detail: `In other words, with the same terms, numbers, units and denials${attempt === 0 ? '' : ` at attempt ${attempt + 1}`}.`,
        changes: { question, originalQuestion: item.originalQuestion ?? item.question },
        call: reply.provenance
      }
    }
    earlier.push(`${question?.slice(0, 500) ?? 'Nothing usable.'} Turned down: ${fault}`)
  }
  return { rootId, action: 'flagged', reason: 'no-safe-paraphrase', detail: `Of ${attemptsMax} replies none will do. ${earlier.at(-1) ?? ''}`.slice(0, 1000) }
}
