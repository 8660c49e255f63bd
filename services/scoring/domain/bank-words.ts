/** The few words that stand in an item of a bank beside its own, in its language. */

export const bankLanguages = ['en', 'ko'] as const
/** Of prompts: Korean for items in Korean, English for all others. */
export type BankLanguage = (typeof bankLanguages)[number]

/** @param language  BCP 47, of an item */
export function bankLanguageOf (language: string): BankLanguage {
  return /^ko(?:-|$)/iu.test(language) ? 'ko' : 'en'
}

const words = {
  en: {
    image: (number: number) => `Image ${number}`, notShown: 'not shown', noImage: '(image not shown)', noQuestion: '(The question is not shown.)', noChoice: '(not shown)'
  },
  ko: {
    image: (number: number) => `그림 ${number}`, notShown: '보이지 않음', noImage: '(그림은 보이지 않음)', noQuestion: '(문제는 보이지 않는다.)', noChoice: '(보이지 않음)'
  }
}

export function wordsOf (language: string): (typeof words)[BankLanguage] {
  return words[bankLanguageOf(language)]
}
