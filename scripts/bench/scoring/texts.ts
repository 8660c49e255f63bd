/** Made texts that cost what papers' do: words as often as by Zipf, numbers, punctuation, lines. */
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import type { Sizes } from './sizes.ts'

export interface TextPair { prediction: string, reference: string }

const vocabularySize = 8_000
const starts = ['b', 'c', 'd', 'f', 'g', 'l', 'm', 'n', 'p', 'r', 's', 't', 'tr', 'st', 'pl', 'gr']
const middles = ['a', 'e', 'i', 'o', 'u', 'ea', 'io']
const ends = ['', '', 'n', 'r', 's', 'l', 't', 'ns', 'ng', 'ck']
const suffixes = ['', '', '', '', '', 's', 'ed', 'ing', 'ation', 'ities', 'ly', 'ness', 'al']

/** Pairs of about 150 words; the prediction says what the reference says with three words of ten changed. */
export function textPairs ({ pairs, seed }: Sizes): TextPair[] {
  const random = seededRandom(seed)
  const vocabulary = Array.from({ length: vocabularySize }, () => wordOf(random))
  return Array.from({ length: pairs }, () => {
    const sentences = Array.from({ length: random.whole(7, 9) }, () =>
      Array.from({ length: random.whole(14, 24) }, () => drawn(vocabulary, random)))
    return {
      reference: sentences.map(words => written(words, random)).join('\n'),
      prediction: sentences.map(words => written(changed(words, vocabulary, random), random)).join('\n')
    }
  })
}

function wordOf (random: Random): string {
  const syllables = Array.from({ length: random.whole(1, 3) }, () =>
    random.pick(starts) + random.pick(middles) + random.pick(ends))
  return syllables.join('') + random.pick(suffixes)
}

/** The word of rank r about as often as 1 / r; one in thirty is a number. */
function drawn (vocabulary: readonly string[], random: Random): string {
  if (random.chance(1 / 30)) return `${random.whole(0, 999)}${random.chance(0.5) ? `.${random.whole(0, 9)}` : ''}`
  return vocabulary[Math.floor(vocabulary.length ** random.next()) - 1]!
}

function changed (words: readonly string[], vocabulary: readonly string[], random: Random): string[] {
  return words.flatMap(word => {
    if (!random.chance(0.3)) return word
    const other = drawn(vocabulary, random)
    return random.pick([[], [other], [word, other]])
  })
}

function written (words: readonly string[], random: Random): string {
  const text = words.map(word => random.chance(0.08) ? `${word},` : random.chance(0.02) ? `(${word})` : word).join(' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
