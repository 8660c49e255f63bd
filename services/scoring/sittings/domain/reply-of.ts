/** A person's answer as the reply that a model would have given, for the one reader of replies. */
import type { Extraction } from '../../../../shared/contracts/run.ts'
import { letterOf, type Question } from '../../domain/question.ts'
import { readReply } from '../../domain/read-reply.ts'

type Shown = Pick<Question, 'kind' | 'choices' | 'order'>

const yesNo = ['Yes', 'No']

/**
 * The reply that names the choice shown at this place. Where choices are letters themselves ("B" stands
 * under A) the line that a model is asked for is read as another one; then the first of the other forms
 * is taken that is read as it was meant.
 *
 * @returns `meant`: what was chosen, where no form is read so
 */
export function choiceReply (question: Shown, choice: number): { content: string, meant?: Extraction } {
  const { kind, choices, order } = question
  const label = kind === 'binary' ? yesNo[choice]! : letterOf(choice)
  const text = choices[choice]!
  const forms = [`Answer: ${label}`, `Answer: ${text}`, `Answer: ${label}. ${text}`]
  const finish = { finishReason: 'stop', refusal: false }
  const read = forms.find(content =>
    readReply(question, { content, ...finish }).lenient?.index === order[choice])
  if (read !== undefined) return { content: read }
  const meant = { label, index: order[choice]!, rule: 'chosen', span: null, alternatives: [] }
  return { content: forms[0]!, meant }
}
