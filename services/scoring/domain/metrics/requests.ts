/** The stateless metrics as they are asked for over HTTP: bodies, answers, and the way between. */
import { Type, type Static } from 'typebox'
import { readAsKmetbench } from '../../../../shared/answers/kmetbench.ts'
import { readKmetbenchStrictly } from '../../../../shared/answers/kmetbench-strict.ts'
import { readLeniently, type Question } from '../../../../shared/answers/lenient.ts'
import { readStrictly } from '../../../../shared/answers/strict.ts'
import { Extraction } from '../../../../shared/contracts/run.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { similarityRatio } from '../../../../shared/text/difflib.ts'
import { bleuTokenizers } from './bleu-tokens.ts'
import {
  addBleuCounts, bleuCounts, bleuOf, bleuSignature, bleuSmoothings, type BleuOptions
} from './bleu.ts'
import { addChrfCounts, chrfCounts, chrfName, chrfOf, chrfSignature } from './chrf.ts'
import { rougeTokenizers } from './rouge-tokens.ts'
import { rougeScorer, rougeSignature, rougeTypes } from './rouge.ts'

export const pairsMax = 10_000
const closed = { additionalProperties: false }

const Pairs = Type.Array(Type.Object({
  prediction: Type.String(),
  references: Type.Array(Type.String(), { minItems: 1, maxItems: 100 })
}, closed), { minItems: 1, maxItems: pairsMax })

const pairExample = {
  prediction: 'Coverage rises with the papers.', references: ['Coverage rises with the number of papers.']
}

export const RougeRequest = Type.Object({
  pairs: Pairs,
  types: Type.Array(Type.Enum([...rougeTypes]), { minItems: 1, uniqueItems: true }),
  stemmer: Type.Boolean({ default: false, description: 'NLTK\'s Porter stemmer; with the default tokenizer only.' }),
  tokenizer: Type.Enum([...rougeTokenizers], { default: 'default', description: 'default keeps a-z and 0-9 only, as the reference does: text in other scripts then scores 0.' })
}, { $id: 'RougeRequest', ...closed, examples: [{ pairs: [pairExample], types: ['rouge1', 'rougeL'] }] })

const Rouge = Type.Object({
  precision: Type.Number(), recall: Type.Number(), fmeasure: Type.Number()
}, closed)
export const RougeAnswer = Type.Object({
  scores: Type.Array(Type.Record(Type.String(), Rouge), { description: 'In the order of the pairs; fractions.' }),
  signature: Type.String()
}, { $id: 'RougeAnswer', ...closed })

export const BleuRequest = Type.Object({
  pairs: Pairs,
  level: Type.Enum(['sentence', 'corpus'], { description: 'corpus: all pairs are one text, one score.' }),
  tokenize: Type.Enum([...bleuTokenizers], { default: '13a' }),
  smoothMethod: Type.Enum([...bleuSmoothings], { default: 'exp' }),
  smoothValue: Type.Optional(Type.Number({ minimum: 0, maximum: 1000, description: 'floor: default 0.1; add-k: default 1.' })),
  lowercase: Type.Boolean({ default: false }),
  effectiveOrder: Type.Optional(Type.Boolean({ description: 'Default: true for sentences, false for a corpus, as sacreBLEU has it.' })),
  maxNgramOrder: Type.Integer({ minimum: 1, maximum: 9, default: 4 })
}, { $id: 'BleuRequest', ...closed, examples: [{ pairs: [pairExample], level: 'sentence' }] })

export const BleuAnswer = Type.Object({
  scores: Type.Array(Type.Object({
    score: Type.Number({ description: '0 to 100.' }),
    precisions: Type.Array(Type.Number()),
    counts: Type.Array(Type.Number()),
    totals: Type.Array(Type.Number()),
    bp: Type.Number(),
    sysLen: Type.Integer(),
    refLen: Type.Integer()
  }, closed)),
  signature: Type.String()
}, { $id: 'BleuAnswer', ...closed })

export const ChrfRequest = Type.Object({
  pairs: Pairs,
  level: Type.Enum(['sentence', 'corpus'], { description: 'corpus: all pairs are one text, one score.' }),
  charOrder: Type.Integer({ minimum: 1, maximum: 20, default: 6 }),
  wordOrder: Type.Integer({ minimum: 0, maximum: 9, default: 0, description: '0 is chrF, 2 is chrF++.' }),
  beta: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 2, description: 'How much more recall weighs than precision.' }),
  lowercase: Type.Boolean({ default: false }),
  whitespace: Type.Boolean({ default: false, description: 'Count blanks as characters.' }),
  epsSmoothing: Type.Boolean({ default: false, description: 'A mean of the F of each order, as chrF++.py has it.' })
}, { $id: 'ChrfRequest', ...closed, examples: [{ pairs: [pairExample], level: 'sentence', wordOrder: 2 }] })

export const ChrfAnswer = Type.Object({
  scores: Type.Array(Type.Object({ score: Type.Number({ description: '0 to 100.' }) }, closed)),
  name: Type.String({ description: 'With beta and word order, which the signature leaves out: chrF2, chrF2++.' }),
  signature: Type.String()
}, { $id: 'ChrfAnswer', ...closed })

export const SimilarityRequest = Type.Object({
  pairs: Type.Array(Type.Object({
    a: Type.String(), b: Type.String()
  }, closed), { minItems: 1, maxItems: pairsMax }),
  autojunk: Type.Boolean({ default: true, description: 'Ignore characters that are popular in a b of 200 or more, as CPython does unless told otherwise; near copies of long texts then look unlike.' })
}, {
  $id: 'SimilarityRequest',
  ...closed,
  examples: [{ pairs: [{ a: 'The highest pressure', b: 'The lowest pressure' }], autojunk: false }]
})

export const SimilarityAnswer = Type.Object({
  ratios: Type.Array(Type.Number({ description: '0 to 1; of a to b, which may differ from b to a.' })),
  signature: Type.String()
}, { $id: 'SimilarityAnswer', ...closed })

export const ExtractionRequest = Type.Object({
  items: Type.Array(Type.Object({
    text: Type.String({ description: 'The reply, raw.' }),
    kind: Type.Enum(['binary', 'choice']),
    choices: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 2, maxItems: 20 }))
  }, closed), { minItems: 1, maxItems: pairsMax }),
  mode: Type.Enum(['strict', 'lenient', 'kmetbench', 'kmetbench-strict'], { description: 'kmetbench: as the released K-MetBench toolkit reads, errors included; index may be out of range. kmetbench-strict: the one fenced JSON object that its prompts ask for and nothing else, or the violation.' })
}, {
  $id: 'ExtractionRequest',
  ...closed,
  examples: [{ items: [{ text: 'It rises, so:\n\nAnswer: Yes', kind: 'binary' }], mode: 'strict' }]
})

export const ExtractionAnswer = Type.Object({
  extractions: Type.Array(Extraction, { description: 'In the order of the items.' })
}, { $id: 'ExtractionAnswer', ...closed })

export const metricRequests = {
  rouge: RougeRequest,
  bleu: BleuRequest,
  chrf: ChrfRequest,
  similarity: SimilarityRequest,
  extraction: ExtractionRequest
}
export type MetricName = keyof typeof metricRequests

/** @throws Problem invalid-request where the parts of a body contradict each other */
export function rougeAnswer (request: Static<typeof RougeRequest>): Static<typeof RougeAnswer> {
  const { pairs, ...options } = request
  if (options.stemmer && options.tokenizer !== 'default') {
    throw contradiction('/body/stemmer', `The tokenizer ${options.tokenizer} has no stemmer; leave stemmer out.`)
  }
  const score = rougeScorer(options)
  const scores = pairs.map(({ prediction, references }) => score(prediction, references))
  return { scores: scores as Static<typeof RougeAnswer>['scores'], signature: rougeSignature(options) }
}

export function bleuAnswer (request: Static<typeof BleuRequest>): Static<typeof BleuAnswer> {
  const { pairs, level, ...given } = request
  const options: BleuOptions = { ...given, effectiveOrder: given.effectiveOrder ?? level === 'sentence' }
  const counts = pairs.map(pair => bleuCounts(pair, options))
  const segments = level === 'corpus' ? [addBleuCounts(counts)] : counts
  return {
    scores: segments.map(segment => bleuOf(segment, options)),
    signature: bleuSignature(pairs.map(({ references }) => references.length), options)
  }
}

export function chrfAnswer (request: Static<typeof ChrfRequest>): Static<typeof ChrfAnswer> {
  const { pairs, level, ...options } = request
  const counts = pairs.map(pair => chrfCounts(pair, options))
  const segments = level === 'corpus' ? [addChrfCounts(counts)] : counts
  return {
    scores: segments.map(segment => ({ score: chrfOf(segment, options) })),
    name: chrfName(options),
    signature: chrfSignature(pairs.map(({ references }) => references.length), options)
  }
}

export function similarityAnswer (
  { pairs, autojunk }: Static<typeof SimilarityRequest>
): Static<typeof SimilarityAnswer> {
  return {
    ratios: pairs.map(({ a, b }) => similarityRatio(a, b, { autojunk })),
    signature: `difflib.ratio|unit:code point|autojunk:${autojunk ? 'yes' : 'no'}|version:cpython-3.11`
  }
}

/** @throws Problem invalid-request where a choice comes without choices, or a mode cannot read a kind */
export function extractionAnswer (
  { items, mode }: Static<typeof ExtractionRequest>
): Static<typeof ExtractionAnswer> {
  const bare = items.findIndex(({ kind, choices }) => kind === 'choice' && choices === undefined)
  if (bare >= 0) {
    throw contradiction(`/body/items/${bare}/choices`, 'An item of kind choice needs its choices.')
  }
  const binary = items.findIndex(({ kind }) => kind === 'binary')
  if (mode.startsWith('kmetbench') && binary >= 0) {
    throw contradiction(`/body/items/${binary}/kind`, 'The K-MetBench toolkit reads choices only; read yes and no strictly or leniently.')
  }
  const read = mode === 'strict' ? readStrictly : readLeniently
  return {
    extractions: items.map(({ text, kind, choices = [] }) => {
      if (mode === 'kmetbench') return readAsKmetbench(text, choices.length)
      if (mode === 'kmetbench-strict') return readKmetbenchStrictly(text, choices.length)
      const question: Question = kind === 'binary' ? { kind } : { kind, choices }
      const found = read(text, question)
      return kind === 'binary' ? inOrderShown(found, choices) : found
    })
  }
}

/** Yes and No may have been shown in the other order; `index` is the place among those shown. */
function inOrderShown (found: Extraction, choices: readonly string[]): Extraction {
  const shown = choices.findIndex(choice => choice.toLowerCase() === found.label?.toLowerCase())
  return shown < 0 ? found : { ...found, index: shown }
}

function contradiction (pointer: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer, detail }] })
}

/** The answer to a body that fits its schema, defaults filled in. */
export function metricAnswer (name: MetricName, body: unknown): object {
  if (name === 'rouge') return rougeAnswer(body as Static<typeof RougeRequest>)
  if (name === 'bleu') return bleuAnswer(body as Static<typeof BleuRequest>)
  if (name === 'chrf') return chrfAnswer(body as Static<typeof ChrfRequest>)
  if (name === 'similarity') return similarityAnswer(body as Static<typeof SimilarityRequest>)
  return extractionAnswer(body as Static<typeof ExtractionRequest>)
}

/** Comparisons of a line with a line that fit into a few milliseconds. */
const linePairsMax = 10_000
/** The same for comparisons of a character with a character. */
const characterPairsMax = 1_000_000

/**
 * Whether a small body still means much work: ROUGE-Lsum compares every line with every line, difflib every
 * character with every character.
 */
export function isHeavy (name: MetricName, body: unknown): boolean {
  if (name === 'similarity') {
    const { pairs } = body as Static<typeof SimilarityRequest>
    return pairs.reduce((sum, { a, b }) => sum + a.length * b.length, 0) > characterPairsMax
  }
  if (name !== 'rouge') return false
  const { pairs, types } = body as Static<typeof RougeRequest>
  if (!types.includes('rougeLsum')) return false
  const lines = (text: string) => text.split('\n').length
  let compared = 0
  for (const { prediction, references } of pairs) {
    compared += lines(prediction) * references.reduce((sum, text) => sum + lines(text), 0)
  }
  return compared > linePairsMax
}
