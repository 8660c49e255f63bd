/** Golden cases of chrF and chrF++, recorded from sacreBLEU. */
import type { BleuPair } from '../../services/scoring/domain/metrics/bleu.ts'
import {
  addChrfCounts, chrfCounts, chrfOf, chrfSignature, type ChrfOptions
} from '../../services/scoring/domain/metrics/chrf.ts'
import { corpusPairs } from './bleu.ts'
import { difference, type Adapter, type GoldenCase } from './compare.ts'

const ourNames: Record<string, keyof ChrfOptions> = {
  char_order: 'charOrder',
  word_order: 'wordOrder',
  beta: 'beta',
  lowercase: 'lowercase',
  whitespace: 'whitespace',
  eps_smoothing: 'epsSmoothing'
}

function compare (pairs: BleuPair[], golden: GoldenCase): string | null {
  const options: ChrfOptions = Object.fromEntries(Object.entries(golden.options as object)
    .map(([name, value]) => [ourNames[name]!, value]))
  const score = chrfOf(addChrfCounts(pairs.map(pair => chrfCounts(pair, options))), options)
  const signature = chrfSignature(pairs.map(pair => pair.references.length), options)
  return difference(score, golden.expected) ?? difference(signature, golden.signature, 'signature')
}

export const chrfAdapters: Record<string, Adapter> = {
  sentence_chrf: golden => compare([{
    prediction: golden.hypothesis as string, references: golden.references as string[]
  }], golden),
  corpus_chrf: golden => compare(corpusPairs(golden), golden)
}
