/**
 * How a reference answer must be written: AutoPaperBench's rules for answers, as far as code can
 * tell. Generation holds drafts to them, reviewing holds items to them. Phrases are data: whole
 * words, lower case. Each rule answers what is wrong, or undefined.
 */
import { longestCommonRun, phrasesIn, plainWordsOf } from './phrases.ts'
import { splitSentences } from './sentences.ts'
import { termsOf } from './tokens.ts'

const parts = ['section', 'subsection', 'paragraph', 'passage', 'chapter', 'excerpt', 'text', 'summary', 'answer']
const tellings = ['describes', 'discusses', 'explains', 'presents', 'introduces', 'outlines',
  'summarizes', 'summarises', 'covers', 'focuses', 'deals', 'provides', 'is about']

/** Talk about the text instead of what it says. */
export const metaPhrases: readonly string[] = [
  ...parts.flatMap(part => [`this ${part}`, ...tellings.map(telling => `the ${part} ${telling}`)]),
  'is organized as follows', 'is organised as follows', 'is structured as follows',
  'the point is', 'the key point', 'the main point', 'the main takeaway', 'the key takeaway',
  'the question asks', 'to answer the question', 'as an ai', 'here is', 'here are',
  '이 절', '본 절', '이 섹션', '본 섹션', '이 단락', '이 요약', '다음과 같이 구성', '핵심 요점은', '요점은', '질문에 답하'
]

/** Doubt of the writer. */
export const hedges: readonly string[] = [
  'likely to be', 'would be better to be', 'seems to', 'seem to', 'it seems', 'appears to', 'appear to',
  'might be', 'may be', 'could be', 'might have', 'may have', 'could have', 'possibly', 'perhaps',
  'presumably', 'probably', 'supposedly', 'i think', 'we believe', 'it is possible', 'not sure', 'unclear',
  '아마', '것 같', '것으로 추측', '것으로 보인', '듯하', '수도 있', '불분명'
]

/** Words that say that something is there, and not what. */
export const vaguePhrases: readonly string[] = [
  'various things', 'various aspects', 'various factors', 'various ways', 'many things', 'several things',
  'several aspects', 'some aspects', 'some things', 'certain aspects', 'different aspects',
  'a number of things', 'and so on', 'and so forth', 'etc', 'something like', 'some kind of', 'stuff',
  '여러 가지 것', '다양한 측면', '등등'
]

/** In words; a run this long of the question is the question said again. */
const repeatedRunMax = 7
const contentWordsMin = 3

export function metaPhrase (answer: string): string | undefined {
  const [phrase] = phrasesIn(answer, metaPhrases)
  return phrase === undefined ? undefined : `The answer speaks of the text instead of the matter: "${phrase}".`
}

/** What the paper's own words say is its claim, and no hedge of the writer. */
export function addedHedge (answer: string, quotes: readonly string[]): string | undefined {
  const phrase = addedPhrase(answer, quotes, hedges)
  return phrase === undefined ? undefined : `The answer hedges where the paper does not: "${phrase}".`
}

export function repeatedQuestion (answer: string, question: string): string | undefined {
  const asked = plainWordsOf(question)
  const run = longestCommonRun(asked, plainWordsOf(answer))
  return run > repeatedRunMax || run === asked.length
    ? `The answer repeats ${run} words of the question in a row; it should answer at once.`
    : undefined
}

export function endsInColon (answer: string): string | undefined {
  return /[:：]\s{0,9}$/u.test(answer) ? 'The answer ends in a colon, as if something were cut off.' : undefined
}

export function vague (answer: string, quotes: readonly string[]): string | undefined {
  const phrase = addedPhrase(answer, quotes, vaguePhrases)
  if (phrase !== undefined) return `The answer stays vague: "${phrase}".`
  // Scripts without spaces between words give few, long words.
  const content = plainWordsOf(answer).filter(word => [...word].length > 3 || /[\p{N}\p{Lo}]/u.test(word))
  return content.length < contentWordsMin
    ? `The answer has fewer than ${contentWordsMin} words that say something.`
    : undefined
}

/** Answers of so many sentences draw a conclusion; shorter ones are one. */
const concludedSentencesMin = 3
/** A last sentence that begins so adds to a list, or hands over, instead of closing. */
const trailing = /^(?:additionally|furthermore|moreover|in addition|for example|for instance|such as|also|another|other|next|the following|finally, (?:the )?(?:section|paper)|또한|예를 들어|다음|그 밖에|게다가)(?![\p{L}])/iu

/**
 * An answer of three sentences or more ends with one that closes it: a whole statement that does not
 * open as a further item of a list ("Additionally", "For example"), and that takes up at least one
 * term of what was said before. What a conclusion *means* is for the reviewer to judge.
 */
export function unconcluded (answer: string): string | undefined {
  const sentences = splitSentences(answer)
  const last = sentences.at(-1)?.text ?? ''
  if (!/[.!。！…]["'”’»)\]]{0,3}$/u.test(last)) return 'The answer does not end with a whole statement.'
  if (sentences.length < concludedSentencesMin) return undefined
  if (trailing.test(last)) return 'The last sentence opens as one more item of a list; the answer should end with its conclusion.'
  const before = new Set(termsOf(sentences.slice(0, -1).map(({ text }) => text).join(' ')))
  return termsOf(last).some(term => before.has(term))
    ? undefined
    : 'The last sentence takes up nothing of what was said before; the answer should end with its conclusion.'
}

/** The first of `phrases` in the answer that no quote has. */
function addedPhrase (
  answer: string, quotes: readonly string[], phrases: readonly string[]
): string | undefined {
  const found = phrasesIn(answer, phrases)
  if (found.length === 0) return undefined
  const quoted = phrasesIn(quotes.join('\n'), found)
  return found.find(phrase => !quoted.includes(phrase))
}
