/**
 * How a reference answer must be written: AutoPaperBench's rules for answers, as far as code can
 * tell. Only descriptive kinds have an answer in prose. Phrases are data: whole words, lower case.
 */
import type { Item } from '../../../../shared/contracts/item.ts'
import { fail, pass, shown, type CheckFunction, type Finding } from './finding.ts'
import { longestCommonRun, phrasesIn, wordsOf } from './words.ts'

const parts = ['section', 'subsection', 'paragraph', 'passage', 'chapter', 'excerpt', 'text', 'summary', 'answer']
const tellings = ['describes', 'discusses', 'explains', 'presents', 'introduces', 'outlines',
  'summarizes', 'summarises', 'covers', 'focuses', 'deals', 'provides', 'is about']

/** Talk about the text instead of what it says. */
export const metaPhrases: readonly string[] = [
  ...parts.flatMap(part => [`this ${part}`, ...tellings.map(telling => `the ${part} ${telling}`)]),
  'is organized as follows', 'is organised as follows', 'is structured as follows',
  'the point is', 'the key point', 'the main point', 'the main takeaway', 'the key takeaway',
  'the question asks', 'to answer the question', 'as an ai', 'here is', 'here are'
]

/** Doubt of the writer. */
export const hedges: readonly string[] = [
  'likely to be', 'would be better to be', 'seems to', 'seem to', 'it seems', 'appears to', 'appear to',
  'might be', 'may be', 'could be', 'might have', 'may have', 'could have', 'possibly', 'perhaps',
  'presumably', 'probably', 'supposedly', 'i think', 'we believe', 'it is possible', 'not sure', 'unclear'
]

/** Words that say that something is there, and not what. */
export const vaguePhrases: readonly string[] = [
  'various things', 'various aspects', 'various factors', 'various ways', 'many things', 'several things',
  'several aspects', 'some aspects', 'some things', 'certain aspects', 'different aspects',
  'a number of things', 'and so on', 'and so forth', 'etc', 'something like', 'some kind of', 'stuff'
]

/** In words; a run this long of the question is the question said again. */
const repeatedRunMax = 7
const contentWordsMin = 3

export const metaPhrasesAbsent = ofAnswer(answer => {
  const [phrase] = phrasesIn(answer, metaPhrases)
  return phrase === undefined
    ? pass('The answer speaks of the matter, not of the text.')
    : fail(`The answer speaks of the text instead of the matter: "${phrase}".`)
})

export const hedgingAbsent = ofAnswer((answer, item) => {
  const phrase = addedPhrase(answer, item, hedges)
  return phrase === undefined
    ? pass('The answer is as sure as the paper.')
    : fail(`The answer hedges where the paper does not: "${phrase}".`)
})

export const questionNotRepeated = ofAnswer((answer, item) => {
  const question = wordsOf(item.question)
  const run = longestCommonRun(question, wordsOf(answer))
  return run > repeatedRunMax || run === question.length
    ? fail(`The answer repeats ${run} words of the question in a row; it should answer at once.`)
    : pass('The answer does not repeat the question.')
})

export const colonNotLast = ofAnswer(answer => /[:：]\s{0,9}$/u.test(answer)
  ? fail(`The answer ends in a colon, as if something were cut off: ${shown(answer.slice(-60))}.`)
  : pass('The answer does not end in a colon.'))

export const languageConcrete = ofAnswer((answer, item) => {
  const phrase = addedPhrase(answer, item, vaguePhrases)
  if (phrase !== undefined) return fail(`The answer stays vague: "${phrase}".`)
  // Scripts without spaces between words give few, long words.
  const content = wordsOf(answer).filter(word => [...word].length > 3 || /[\p{N}\p{Lo}]/u.test(word))
  return content.length < contentWordsMin
    ? fail(`The answer has fewer than ${contentWordsMin} words that say something.`)
    : pass('The answer says what, not that there is something.')
})

/** The first of `phrases` in the answer that no quote has: what the paper says itself is its claim. */
function addedPhrase (answer: string, { evidence }: Item, phrases: readonly string[]): string | undefined {
  const found = phrasesIn(answer, phrases)
  if (found.length === 0) return undefined
  const quoted = phrasesIn(evidence.map(({ quote }) => quote).join('\n'), found)
  return found.find(phrase => !quoted.includes(phrase))
}

function ofAnswer (judge: (answer: string, item: Item) => Finding): CheckFunction {
  return ({ item }) => item.answer === undefined ? null : judge(item.answer, item)
}
