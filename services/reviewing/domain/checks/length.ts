/** Lengths, in code points, so that no script is favoured by its encoding. */
import { fail, pass, type Finding, type Subject } from './finding.ts'

const questionMin = 10
const questionMax = 500
/** AutoPaperBench's limit for the three questions about the abstract. */
const abstractAnswerMax = 500
/** About 300 English words: more is the section again, and not an answer. */
const answerMax = 2000

/** Question of 10 to 500 characters; answers about the abstract at most 500, others 2,000. */
export function lengthFits ({ item }: Subject): Finding {
  const question = [...item.question].length
  if (question < questionMin || question > questionMax) {
    return fail(`The question has ${question} characters; ${questionMin} to ${questionMax} are allowed.`)
  }
  const answer = [...item.answer ?? ''].length
  const most = item.place === 'abstract' ? abstractAnswerMax : answerMax
  return answer > most
    ? fail(`The answer has ${answer} characters; at most ${most} are allowed here.`)
    : pass(answer === 0
      ? `The question has ${question} characters.`
      : `The question has ${question} characters, the answer ${answer}.`)
}
