/** Golden cases of BLEU, recorded from sacreBLEU. */
import { bleuTokenizers, bleuTokens } from '../../services/scoring/domain/metrics/bleu-tokens.ts'
import {
  addBleuCounts, bleuCounts, bleuOf, bleuSignature, type BleuOptions, type BleuPair
} from '../../services/scoring/domain/metrics/bleu.ts'
import { difference, type Adapter, type GoldenCase } from './compare.ts'

const ourNames: Record<string, keyof BleuOptions> = {
  tokenize: 'tokenize',
  smooth_method: 'smoothMethod',
  smooth_value: 'smoothValue',
  lowercase: 'lowercase',
  effective_order: 'effectiveOrder',
  max_ngram_order: 'maxNgramOrder'
}

function optionsOf (golden: GoldenCase): BleuOptions {
  return Object.fromEntries(Object.entries(golden.options as object)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [ourNames[name]!, value]))
}

function compare (pairs: BleuPair[], golden: GoldenCase): string | null {
  const options = optionsOf(golden)
  const found = bleuOf(addBleuCounts(pairs.map(pair => bleuCounts(pair, options))), options)
  const actual = { ...found, sys_len: found.sysLen, ref_len: found.refLen }
  const expected = { ...golden.expected as Record<string, unknown> }
  // Derived for display by the reference; no part of our result.
  delete expected.ratio
  delete expected.str
  const signature = bleuSignature(pairs.map(pair => pair.references.length), options)
  return difference(actual, expected) ?? difference(signature, golden.signature, 'signature')
}

/** Of streams, each the first, second, … reference of every segment; some have fewer. */
export function corpusPairs (golden: GoldenCase): BleuPair[] {
  return (golden.hypotheses as string[]).map((prediction, segment) => ({
    prediction,
    references: (golden.reference_streams as (string | null)[][])
      .map(stream => stream[segment]).filter(reference => typeof reference === 'string')
  }))
}

export const bleuAdapters: Record<string, Adapter> = {
  sentence_bleu: golden => compare([{
    prediction: golden.hypothesis as string, references: golden.references as string[]
  }], golden),
  corpus_bleu: golden => compare(corpusPairs(golden), golden),
  tokenize: golden => {
    const text = golden.text as string
    const actual = bleuTokenizers.map(name => [name, bleuTokens(text, name, false)])
    return difference(Object.fromEntries(actual), golden.expected, 'tokens')
  }
}
