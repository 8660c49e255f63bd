/** What a descriptive answer of a draft must keep to, checked by code: reasons are those of rejections. */
import type { Check, Evidence } from '../../../../shared/contracts/item.ts'
import {
  addedHedge, endsInColon, metaPhrase, repeatedQuestion, unconcluded, vague
} from '../../../../shared/text/answer-style.ts'
import { languageFault } from '../../../../shared/text/language.ts'
import { exponentFault } from './sure-quotes.ts'
import type { Fault } from './writer.ts'

/** In code points: AutoPaperBench's limit for the abstract; ours for the rest. */
export const answerCharsMax = {
  abstract: 500, section: 1200, figure: 800, table: 800, equation: 800
} as const
const answerCharsMin = 20
/** Hangul syllables say as much as two or three letters. */
const answerCharsMinKorean = 10

export interface Answered {
  question: string
  answer: string
  evidence: readonly Evidence[]
  language: string
  charsMax: number
}

/** The first rule that the answer breaks, or the checks it passed. */
export function answerChecks (answered: Answered): Check[] | Fault {
  const { question, answer, language } = answered
  const quotes = answered.evidence.map(({ quote }) => quote)
  const rules: Array<[string, string | undefined]> = [
    ['length', lengthFault(answered)],
    ['language', languageFault(answer, language)],
    ['meta-phrase', metaPhrase(answer)],
    ['hedged', addedHedge(answer, quotes)],
    ['question-repeated', repeatedQuestion(answer, question)],
    ['ends-in-colon', endsInColon(answer)],
    ['exponent-uncertain', exponentFault(answer)],
    ['vague', vague(answer, quotes)],
    ['no-conclusion', unconcluded(answer)]
  ]
  for (const [reason, detail] of rules) if (detail !== undefined) return { reason, detail }
  return [{
    name: 'answer-style', passed: true, detail: `The answer keeps the rules of ${rules.map(([name]) => name).join(', ')}.`
  }]
}

function lengthFault ({ answer, charsMax, language }: Answered): string | undefined {
  const chars = [...answer].length
  const least = language === 'ko' ? answerCharsMinKorean : answerCharsMin
  if (chars > charsMax) return `The answer has ${chars} characters; at most ${charsMax} are allowed.`
  return chars < least ? `The answer has ${chars} characters; at least ${least} are needed.` : undefined
}
