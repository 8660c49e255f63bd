import { readFileSync } from 'node:fs'
import t from 'tap'
import { bleuAdapters } from '../../../../../scripts/golden/bleu.ts'
import { chrfAdapters } from '../../../../../scripts/golden/chrf.ts'
import { difference, type Adapter, type GoldenCase } from '../../../../../scripts/golden/compare.ts'
import { difflibAdapters } from '../../../../../scripts/golden/difflib.ts'
import { rougeAdapters } from '../../../../../scripts/golden/rouge.ts'
import { similarityRatio } from '../../../../../shared/text/difflib.ts'
import { addBleuCounts, bleuCounts, bleuOf } from '../bleu.ts'
import { addChrfCounts, chrfCounts, chrfOf, chrfSignature } from '../chrf.ts'
import { lcsLength, lcsPattern, markLcs, markShortLcs, roomFor, shortMax } from '../lcs.ts'
import { rougeScorer, rougeSignature } from '../rouge.ts'

const corpus = process.env.VIVA_CORPUS
const fixtures = new URL('../../../test/fixtures/', import.meta.url)

function failures (file: URL | string, adapters: Record<string, Adapter>): string[] {
  const cases: GoldenCase[] = JSON.parse(readFileSync(file, 'utf8')).cases
  return cases.flatMap(golden => {
    const failure = adapters[golden.kind]!(golden)
    return failure === null ? [] : [`${golden.id} ${failure}`]
  })
}

for (const [name, adapters] of Object.entries({
  rouge: rougeAdapters, bleu: bleuAdapters, chrf: chrfAdapters, difflib: difflibAdapters
})) {
  t.test(`${name} agrees with the reference on the recorded cases to 1e-9`, async t => {
    t.same(failures(new URL(`${name}.json`, fixtures), adapters), [])
  })
  t.test(`${name} agrees with the reference on the whole golden file`, {
    skip: corpus === undefined && 'VIVA_CORPUS is not set'
  }, async t => {
    t.same(failures(`${corpus}/golden/${name}.json`, adapters), [])
  })
}

t.test('a golden comparison finds a number that is off by 1e-8, and a missing key', async t => {
  t.equal(difference({ a: [0.5] }, { a: [0.5] }), null)
  t.match(difference({ a: [0.50000001] }, { a: [0.5] }), '/a/0: expected 0.5')
  t.match(difference({}, { a: 1 }), '/a: expected 1')
  t.match(difference(1e-12, 2e-12), 'expected 2e-12')
  t.equal(difference(null, 'NaN'), null)
})

t.test('ROUGE', async t => {
  t.test('takes the best reference for each type by itself', async t => {
    const score = rougeScorer({ types: ['rouge1', 'rouge2'] })
    const scores = score('a b c', ['c b a', 'a b x y z'])
    t.equal(scores.rouge1!.fmeasure, 1)
    t.equal(scores.rouge2!.recall, 0.25)
  })

  t.test('has no token of Korean text by default, but with a Korean tokenizer', async t => {
    const types = ['rouge1'] as const
    t.equal(rougeScorer({ types })('비가 온다', ['비가 온다']).rouge1!.fmeasure, 0)
    const korean = { types, tokenizer: 'ko_word' as const }
    t.equal(rougeScorer(korean)('비가 온다', ['비가 온다']).rouge1!.fmeasure, 1)
    t.match(rougeSignature(korean), 'tok:ko_word')
  })

  t.test('keeps tokens apart that would be one property of an object', async t => {
    const score = rougeScorer({ types: ['rouge1'], tokenizer: 'whitespace' })
    t.equal(score('__proto__ constructor 1', ['__proto__ 1 1.0']).rouge1!.precision, 2 / 3)
  })

  t.test('refuses to score against nothing', async t => {
    t.throws(() => rougeScorer({ types: ['rouge1'] })('a', []), RangeError)
  })

  t.test('survives lone surrogates and a megabyte of text', async t => {
    const score = rougeScorer({ types: ['rouge1', 'rougeL', 'rougeLsum'], stemmer: true })
    t.equal(score('\ud800 a', ['\udfff a']).rougeL!.fmeasure, 1)
    const long = 'one two three four '.repeat(2_500)
    t.equal(score(long, [`five ${long}`]).rougeLsum!.precision, 1)
  })
})

/** The reference's own way: the whole table, then back from its end. */
function tableMarks (reference: Int32Array, text: Int32Array): Uint8Array {
  const width = text.length + 1
  const table = new Int32Array((reference.length + 1) * width)
  const cell = (i: number, j: number) => table[i * width + j]!
  for (let i = 1; i <= reference.length; i++) {
    for (let j = 1; j <= text.length; j++) {
      table[i * width + j] = reference[i - 1] === text[j - 1]
        ? cell(i - 1, j - 1) + 1
        : Math.max(cell(i - 1, j), cell(i, j - 1))
    }
  }
  const marks = new Uint8Array(reference.length)
  for (let i = reference.length, j = text.length; i > 0 && j > 0;) {
    if (reference[i - 1] === text[j - 1]) {
      marks[i - 1] = 1
      i--
      j--
    } else if (cell(i, j - 1) > cell(i - 1, j)) j--
    else i--
  }
  return marks
}

t.test('the subsequence in bits, whole or in blocks, is the one of the table', async t => {
  let state = 1
  const tokens = (length: number) => Int32Array.from({ length }, () => {
    state = state * 48271 % 2147483647
    return state % 5
  })
  const sizes = [[1, 1], [31, 40], [32, 7], [32, 50], [20, 25], [33, 100], [300, 257]] as const
  for (const [rows, columns] of sizes) {
    // The pattern lacks token 4, and with it places where the way back goes along a row.
    const reference = tokens(rows).map(token => token % 4)
    const text = tokens(columns)
    const pattern = lcsPattern(reference, new Int32Array(5))
    const expected = tableMarks(reference, text)
    for (const cellsMax of [0, 4_000_000]) {
      const marks = new Uint8Array(rows)
      markLcs(pattern, text, { marks, cellsMax })
      t.same(marks, expected, `${rows} × ${columns}`)
    }
    if (rows <= shortMax) {
      const masks = new Int32Array(5)
      for (const [i, token] of reference.entries()) masks[token]! |= 1 << i
      const bits = markShortLcs(masks, rows, { text, room: roomFor(columns) })
      t.same(reference.map((_, i) => (bits >>> i) & 1), expected, `${rows} × ${columns}, as bits`)
    }
    t.equal(lcsLength(pattern, text), expected.reduce((sum, mark) => sum + mark, 0))
  }
})

t.test('chrF', async t => {
  t.test('takes the reference with the highest score, and counts code points', async t => {
    const counts = chrfCounts({ prediction: 'a😀', references: ['b', 'a😀', 'a'] })
    t.same(counts.matched, [2, 1, 0, 0, 0, 0])
    t.equal(chrfOf(counts), 100)
    t.same(chrfCounts({ prediction: 'a b', references: ['a b'] }, { whitespace: true }).matched.slice(0, 3), [3, 2, 1])
  })

  t.test('smooths with an epsilon on request, as chrF++.py does', async t => {
    const options = { charOrder: 2, epsSmoothing: true }
    const counts = chrfCounts({ prediction: 'ab', references: ['ac'] }, options)
    t.ok(Math.abs(chrfOf(counts, options) - 25) < 1e-9)
    t.match(chrfSignature([1], options), 'eff:no|nc:2')
    t.equal(chrfOf(counts, { charOrder: 2 }), 25)
  })

  t.test('refuses a segment without a reference and a corpus without a segment', async t => {
    t.throws(() => chrfCounts({ prediction: 'a', references: [] }), RangeError)
    t.throws(() => addChrfCounts([]), RangeError)
  })
})

t.test('a megabyte of text, and a lone surrogate, are compared like others', async t => {
  const long = 'One two three four five six seven \ud800.\n'.repeat(26_000)
  const pair = { prediction: long, references: [`${long} and more`] }
  t.ok(bleuOf(bleuCounts(pair)).score > 99)
  t.ok(chrfOf(chrfCounts(pair, { wordOrder: 2 }), { wordOrder: 2 }) > 99)
  t.ok(similarityRatio(`x${long}`, long) < 1e-4, 'autojunk takes every character out')
  t.equal(similarityRatio('\ud800a', 'a\ud83d'), 0.5)
})

t.test('BLEU', async t => {
  t.test('of a corpus adds counts, and is no mean of sentence scores', async t => {
    const pairs = [
      { prediction: 'the cat sat on the mat', references: ['the cat sat on the mat'] },
      { prediction: 'a dog', references: ['one dog'] }
    ]
    const counts = pairs.map(pair => bleuCounts(pair))
    const corpus = bleuOf(addBleuCounts(counts))
    t.same(corpus.totals, [8, 6, 4, 3])
    t.not(corpus.score, (bleuOf(counts[0]!).score + bleuOf(counts[1]!).score) / 2)
  })

  t.test('is 0, not NaN, where nothing matches or nothing was said', async t => {
    for (const smoothMethod of ['exp', 'floor', 'add-k', 'none'] as const) {
      for (const prediction of ['', 'x']) {
        const options = { smoothMethod, effectiveOrder: true }
        t.equal(bleuOf(bleuCounts({ prediction, references: ['y z'] }, options), options).score, 0)
      }
    }
  })

  t.test('refuses a segment without a reference and a corpus without a segment', async t => {
    t.throws(() => bleuCounts({ prediction: 'a', references: [] }), RangeError)
    t.throws(() => addBleuCounts([]), RangeError)
  })
})
