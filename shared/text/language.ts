/** The language of a text, from its script and its commonest small words. */
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
    if (!languages.includes(language) && share(script) > foreignShareMax) return `Part of it is written in the script of ${languages[0]}.`
  }
  const own = ownScript[language]
  if (own !== undefined && share(own) < ownShareMin) return `Less than ${ownShareMin * 100} % of its letters are of that language.`
  for (const { text: sentence } of splitSentences(text)) {
    const other = smallWordsFault(sentence, language)
    if (other !== undefined) return `A sentence of it is in another language (${other}).`
  }
  return undefined
}

/** The language whose small words a sentence has, where it has none, or far fewer, of its own. */
function smallWordsFault (sentence: string, language: string): string | undefined {
  const own = ownScript[language]
  if (own !== undefined && (sentence.match(own)?.length ?? 0) > 0.15 * (sentence.match(/\p{L}/gu)?.length ?? 0)) return undefined
  const countOf = (code: string) => new Set(Array.from(sentence.matchAll(small[code] ?? /(?!)/g), ([word]) => word.toLowerCase())).size
  const mine = countOf(language)
  for (const code of Object.keys(small)) {
    if (code !== language && countOf(code) > strayWordsMax && countOf(code) > 2 * mine) return code
  }
  return undefined
}
