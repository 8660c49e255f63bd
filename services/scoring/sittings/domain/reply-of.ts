/** A person's answer as the reply that a model would have given, for the one reader of replies. */
import { letterOf, type Question } from '../../domain/question.ts'

const yesNo = ['Yes', 'No']

/** The line that a model is asked for, naming the choice shown at this place, from 0. */
export function choiceReply ({ kind }: Pick<Question, 'kind'>, choice: number): string {
  return `Answer: ${kind === 'binary' ? yesNo[choice]! : letterOf(choice)}`
}
