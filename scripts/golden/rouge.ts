/** Golden cases of ROUGE, recorded from google-research's rouge_score. */
import { porterStem } from '../../services/scoring/domain/metrics/porter-stem.ts'
import { rougeTokenizer, type RougeTokenizer } from '../../services/scoring/domain/metrics/rouge-tokens.ts'
import { rougeScorer, type RougeOptions, type RougeType } from '../../services/scoring/domain/metrics/rouge.ts'
import { difference, type Adapter } from './compare.ts'

const types: RougeType[] = ['rouge1', 'rouge2', 'rouge3', 'rougeL', 'rougeLsum']

function triples (options: Omit<RougeOptions, 'types'>, prediction: string, references: string[]) {
  const scores = rougeScorer({ types, ...options })(prediction, references)
  return Object.fromEntries(types.map(type => {
    const { precision, recall, fmeasure } = scores[type]!
    return [type, [precision, recall, fmeasure]]
  }))
}

const score: Adapter = golden => {
  const hypothesis = golden.hypothesis as string
  const references = (golden.references ?? [golden.reference]) as string[]
  const plain = rougeTokenizer('default', false)
  const stemmed = rougeTokenizer('default', true)
  const actual = {
    nostem: triples({}, hypothesis, references),
    stem: triples({ stemmer: true }, hypothesis, references)
  }
  const tokens = {
    hyp: plain(hypothesis),
    ref: plain(references[0]!),
    hyp_stem: stemmed(hypothesis),
    ref_stem: stemmed(references[0]!)
  }
  return difference(actual, golden.expected, 'scores') ?? difference(tokens, golden.tokens ?? {}, 'tokens')
}

const scoreCustom: Adapter = golden => {
  const hypothesis = golden.hypothesis as string
  const reference = golden.reference as string
  const names = Object.keys(golden.expected as object) as RougeTokenizer[]
  const actual = Object.fromEntries(names.map(tokenizer =>
    [tokenizer, triples({ tokenizer }, hypothesis, [reference])]))
  const tokens = Object.fromEntries(names.map(name => {
    const tokenize = rougeTokenizer(name, false)
    return [name, { hyp: tokenize(hypothesis), ref: tokenize(reference) }]
  }))
  return difference(actual, golden.expected, 'scores') ?? difference(tokens, golden.tokens ?? {}, 'tokens')
}

export const rougeAdapters: Record<string, Adapter> = {
  score,
  score_multi: score,
  score_custom_tokenizer: scoreCustom,
  porter_stem: golden => difference((golden.words as string[]).map(porterStem), golden.expected, 'stems')
}
