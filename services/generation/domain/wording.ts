/** The words of our questions, by language. */
import type { Figure } from '../../../shared/contracts/document.ts'
import type { Claim } from './claims.ts'
import { figureNumberOf } from './source-text.ts'

/** AutoPaperBench's three fixed questions on the abstract, and what answers each. */
export const abstractQuestions = {
  en: {
    problem: 'What is the main research problem or objective addressed in this paper?',
    solution: 'What are the key methods and approaches used in this research?',
    results: 'What are the main findings and contributions of this paper?'
  },
  ko: {
    problem: '이 논문에서 다루는 주요 연구 문제 또는 목표는 무엇인가?',
    solution: '이 연구에서 사용한 핵심 방법과 접근법은 무엇인가?',
    results: '이 논문의 주요 결과와 기여는 무엇인가?'
  }
} as const

export const sectionCommand = {
  en: 'Summarize the contents of this section',
  ko: '이 절의 내용을 요약하시오'
} as const

export type Language = keyof typeof sectionCommand

/** By the script of the text itself: a Korean paper often has an English abstract. */
export function languageOf (text: string): Language {
  const hangul = text.match(/[\uAC00-\uD7A3]/gu)?.length ?? 0
  const latin = text.match(/[A-Za-z]/gu)?.length ?? 0
  return hangul * 2 > latin ? 'ko' : 'en'
}

/** A yes/no question that stands alone: it names the figure and says the claim in full. */
export function binaryQuestion (figure: Figure, { text, panel, phrase }: Claim): string {
  const name = figureNameOf(figure)
  if (languageOf(text) === 'ko') return `${name}과 그 설명에 따르면 다음 진술은 옳은가? "${text}."`
  if (/\b[Ff]ig(?:ure|s?\.)?\s?\d/u.test(text)) return `Does the paper state that ${text}?`
  const where = panel === undefined ? name : `panel ${panel} of ${name}`
  if (phrase === true) return `Does ${where} show ${text}?`
  return `Regarding ${where}, does the paper state that ${text}?`
}

/** "Figure 2", however the paper prints it; the label itself when it holds no number. */
export function figureNameOf (figure: Figure): string {
  const number = figureNumberOf(figure)
  if (number === undefined) return figure.label
  return /[\uAC00-\uD7A3]/u.test(figure.label) ? `그림 ${number}` : `Figure ${number}`
}
