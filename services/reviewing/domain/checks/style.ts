/** How a reference answer must be written: shared/text/answer-style.ts; only descriptive kinds have one. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { addedHedge, endsInColon, metaPhrase, repeatedQuestion, vague } from '../../../../shared/text/answer-style.ts'
import { fail, pass, type CheckFunction } from './finding.ts'

export const metaPhrasesAbsent = ofAnswer(metaPhrase, 'The answer speaks of the matter, not of the text.')
export const hedgingAbsent = ofAnswer((answer, item) => addedHedge(answer, quotesOf(item)), 'The answer is as sure as the paper.')
export const questionNotRepeated = ofAnswer((answer, { question }) => repeatedQuestion(answer, question), 'The answer does not repeat the question.')
export const colonNotLast = ofAnswer(endsInColon, 'The answer does not end in a colon.')
export const languageConcrete = ofAnswer((answer, item) => vague(answer, quotesOf(item)), 'The answer says what, not that there is something.')

function quotesOf ({ evidence }: Item): string[] {
  return evidence.map(({ quote }) => quote)
}

function ofAnswer (faultOf: (answer: string, item: Item) => string | undefined, fine: string): CheckFunction {
  return ({ item }) => {
    if (item.answer === undefined) return null
    const fault = faultOf(item.answer, item)
    return fault === undefined ? pass(fine) : fail(fault)
  }
}
