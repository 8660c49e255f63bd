/** The language of a text, from its script and its commonest small words. */
import type { Document } from '../contracts/document.ts'
import { splitSentences } from './sentences.ts'

const small: Record<string, RegExp> = {
  en: /\b(?:the|of|and|in|to|is|that|with|for|was|were|are)\b/gi,
  de: /\b(?:der|die|und|das|ist|mit|von|den|nicht|eine|wurde)\b/gi,
  fr: /\b(?:le|la|les|des|et|est|une|dans|pour|que|sur|aux)\b/gi,
  es: /\b(?:el|los|las|que|del|una|por|con|para|como|fue)\b/gi,
  pt: /\b(?:os|uma|com|para|foi|n\u00E3o|dos|das|pela|pelo|que)\b/gi,
  it: /\b(?:il|di|che|della|per|una|nel|sono|con|gli|delle)\b/gi
}

/** @returns BCP 47 code, "und" for too little text */
export function guessLanguage (text: string): string {
  const sample = text.slice(0, 40_000)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters < 40) return 'und'
  const share = (script: RegExp) => (sample.match(script)?.length ?? 0) / letters
  if (share(/[\uAC00-\uD7AF]/g) > 0.2) return 'ko'
  if (share(/[\u3040-\u30FF]/g) > 0.1) return 'ja'
  if (share(/[\u4E00-\u9FFF]/g) > 0.2) return 'zh'
  if (share(/[\u0400-\u052F]/g) > 0.3) return 'ru'
  let best = { code: 'und', count: letters / 200 }
  for (const [code, words] of Object.entries(small)) {
    const count = sample.match(words)?.length ?? 0
    if (count > best.count) best = { code, count }
  }
  return best.code
}

/** Of a paper, as far as it is known; English otherwise. @returns the first subtag of BCP 47 */
export function paperLanguage (
  { language, abstract, title }: Pick<Document, 'language' | 'abstract' | 'title'>
): string {
  const known = language === 'und' ? guessLanguage(abstract?.text ?? title) : language
  const [code = 'und'] = /^[a-z]{2,3}(?![a-z])/u.exec(known.toLowerCase()) ?? []
  return code === 'und' ? 'en' : code
}

/** Letters of a script that no writer of the other languages uses but in quoting. */
const scripts: Array<{ script: RegExp, languages: readonly string[] }> = [
  { script: /[\uAC00-\uD7AF]/gu, languages: ['ko'] },
  { script: /[\u3040-\u30FF]/gu, languages: ['ja'] },
  { script: /[\u4E00-\u9FFF]/gu, languages: ['zh', 'ja', 'ko'] },
  { script: /[\u0400-\u052F]/gu, languages: ['ru', 'uk', 'bg', 'sr'] }
]
const ownScript: Record<string, RegExp> = {
  ko: /[\uAC00-\uD7AF]/gu, ja: /[\u3040-\u30FF\u4E00-\u9FFF]/gu, zh: /[\u4E00-\u9FFF]/gu, ru: /[\u0400-\u052F]/gu
}
/** Terms and names stand in Latin letters in any language. */
const ownShareMin = 0.3
const foreignShareMax = 0.05
/** Different small words: more of another language than this are a sentence of it. */
const strayWordsMax = 2

/**
 * Why a text is not, or not throughout, in a language: letters of another script, or a sentence whose
 * small words are another language's. Terms, names and formulas are of no language; short texts without
 * small words pass.
 *
 * @param language  ISO 639-1; where nothing is known of it only foreign scripts are found
 */
export function languageFault (text: string, language: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return undefined
  const share = (script: RegExp) => (text.match(script)?.length ?? 0) / letters
  for (const { script, languages } of scripts) {
    if (!languages.includes(language) && share(script) > foreignShareMax) return `Part of it is written in the script of ${languages[0]}; ${language} is wanted.`
  }
  const own = ownScript[language]
  if (own !== undefined && share(own) < ownShareMin) return `Less than ${ownShareMin * 100} % of its letters are of the language wanted, ${language}; found: ${seemingLanguage(text)}.`
  for (const { text: sentence } of splitSentences(text)) {
    const other = smallWordsFault(sentence, language)
    if (other !== undefined) return `A sentence of it is in another language (${other}); ${language} is wanted.`
  }
  return undefined
}

/** The language whose small words a sentence has, where it has none, or far fewer, of its own. */
function smallWordsFault (sentence: string, language: string): string | undefined {
  const own = ownScript[language]
  if (own !== undefined && (sentence.match(own)?.length ?? 0) > 0.15 * (sentence.match(/\p{L}/gu)?.length ?? 0)) return undefined
  const countOf = (code: string) => wordsIn(sentence, small[code])
  const mine = countOf(language)
  for (const code of Object.keys(small)) {
    if (code !== language && countOf(code) > strayWordsMax && countOf(code) > 2 * mine) return code
  }
  return undefined
}

/** With which words a question opens, or goes on after what it is about; in no order. */
const asking: Record<string, RegExp> = Object.fromEntries([
  ['en', 'what|which|who|whom|whose|why|how|when|where|does|did|were|are|according|regarding'],
  ['de', 'welche[rsnm]?|wer|wem|wen|warum|wieso|wie|wann|wo|wurden?|laut|wird|werden'],
  ['fr', 'quel(?:le)?s?|quoi|pourquoi|comment|quand|où|combien|selon'],
  ['es', 'qué|cuál(?:es)?|quién(?:es)?|cómo|cuándo|dónde|cuánt[oa]s?|según'],
  ['pt', 'quais|quem|onde|quantos?|segundo'],
  ['it', 'quali|perché|dove|quant[oi]|secondo']
].map(([code, words]) => [code, new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu')]))
/** Pairs of quotation marks, of which the single ones also stand in words. */
const quotes = ['“[^“”]{0,1000}”', '"[^"]{0,1000}"', '«[^«»]{0,1000}»', '„[^„“”]{0,1000}[“”]', '「[^「」]{0,1000}」', '『[^『』]{0,1000}』', '‘[^‘’]{0,1000}’(?!\\p{L})']
const quoted = new RegExp(quotes.join('|'), 'gu')

/**
 * As `languageFault`, and of what the question says in its own words: what it quotes is of the paper's
 * language. A few words are enough to tell, if they are those that ask.
 */
export function questionLanguageFault (question: string, language: string): string | undefined {
  const whole = languageFault(question, language)
  if (whole !== undefined) return whole
  const own = question.replaceAll(quoted, ' ')
  const fault = languageFault(own, language)
  if (fault !== undefined) return `In its own words: ${fault}`
  const found = askingLanguage(own, language)
  return found === undefined
    ? undefined
    : `Its own words, quotes left out, are of the language ${found}; ${language} is wanted.`
}

/** The other language whose words ask, where none of the wanted one's do. */
function askingLanguage (own: string, language: string): string | undefined {
  const countOf = (code: string) => wordsIn(own, asking[code])
  const isLatin = ownScript[language] === undefined
  if (isLatin && (asking[language] === undefined || countOf(language) > 0)) return undefined
  // Where letters tell languages apart, a name or a title may still hold such a word.
  const least = isLatin ? 1 : 2
  return Object.keys(asking).find(code => code !== language && countOf(code) > 0 &&
    countOf(code) + wordsIn(own, small[code]) > wordsIn(own, small[language]) + least - 1)
}

function wordsIn (text: string, words = /(?!)/g): number {
  return new Set(Array.from(text.matchAll(words), ([word]) => word.toLowerCase())).size
}

/** The language a text looks like, "other letters" where no small word tells. */
function seemingLanguage (text: string): string {
  const script = scripts.find(({ script }) => (text.match(script)?.length ?? 0) > 0.2 * text.length)
  if (script !== undefined) return script.languages[0] ?? 'und'
  const counts = Object.keys(small).map(code =>
    ({ code, count: wordsIn(text, small[code]) + wordsIn(text, asking[code]) }))
  const most = counts.reduce((best, each) => each.count > best.count ? each : best)
  return most.count > 0 ? most.code : 'other letters'
}
