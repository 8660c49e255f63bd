/** The tokens ROUGE compares. Which kind was used is part of every score's signature. */
import { porterStem } from './porter-stem.ts'
import { splitOnBlanks } from '../../../../shared/text/python-text.ts'

export const rougeTokenizers = ['default', 'ko_word', 'ko_syllable', 'whitespace'] as const
export type RougeTokenizer = (typeof rougeTokenizers)[number]
export type Tokenize = (text: string) => string[]

const syllable = /[a-z0-9]+|[가-힣]/g

const tokenizers: Record<RougeTokenizer, Tokenize> = {
  // As the reference: anything but a-z and 0-9 separates, so that Korean text has no token at all.
  default: text => text.toLowerCase().match(/[a-z0-9]+/g) ?? [],
  ko_word: text => text.normalize('NFC').toLowerCase().match(/[a-z0-9가-힣]+/g) ?? [],
  ko_syllable: text => text.normalize('NFC').toLowerCase().match(syllable) ?? [],
  whitespace: splitOnBlanks
}

/**
 * @param stemmer  stem words of more than three characters, as the reference does; the default
 *                 tokenizer only: the others have no stems
 */
export function rougeTokenizer (name: RougeTokenizer, stemmer: boolean): Tokenize {
  const tokenize = tokenizers[name]
  if (!stemmer || name !== 'default') return tokenize
  const stems = new Map<string, string>()
  const stemOf = (token: string) => {
    let stem = stems.get(token)
    if (stem === undefined) stems.set(token, stem = porterStem(token))
    return stem
  }
  return text => tokenize(text).map(token => token.length > 3 ? stemOf(token) : token)
}
