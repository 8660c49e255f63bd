/** Ours against other people's code on made inputs: the seed is fixed, a mismatch shows the input. */
import { createRequire } from 'node:module'
import { l, n } from 'js-rouge'
import t from 'tap'
import { similarityRatio, sequenceMatcher } from '../../../../../shared/text/difflib.ts'
import { seededRandom, type Random } from '../../../../../shared/testing/random.ts'
import { rougeTokenizer } from '../rouge-tokens.ts'
import { rougeScorer, type RougeScores } from '../rouge.ts'

interface Difflib {
  SequenceMatcher: new (...given: [isJunk: null, a: string[], b: string[], autojunk: boolean]) => {
    ratio: () => number
    quickRatio: () => number
    realQuickRatio: () => number
    getMatchingBlocks: () => number[][]
    getOpcodes: () => unknown[][]
  }
}
const { SequenceMatcher } = createRequire(import.meta.url)('difflib') as Difflib

const inputs = 800

/** The first inputs on which the two disagree, or null. */
function firstMismatch<T> (draw: (random: Random) => T, disagree: (input: T) => string | null) {
  const random = seededRandom(20_261_130)
  for (let i = 0; i < inputs; i++) {
    const input = draw(random)
    const difference = disagree(input)
    if (difference !== null) return `${difference} of ${JSON.stringify(input)}`
  }
  return null
}

const few = ['a', 'b', 'cat', 'sat', '7', 'don\'t', 'A', 'é', '가나', '😀', '\ud800', '-', '__proto__']

/** Few words, so that subsequences tie; lines of up to 40 words, some of them empty. */
function summary (random: Random): string {
  const words = few.slice(0, random.whole(2, few.length))
  return Array.from({ length: random.whole(1, 5) }, () =>
    Array.from({ length: random.chance(0.1) ? random.whole(33, 40) : random.whole(0, 12) }, () =>
      random.pick(words)).join(' ')).join('\n')
}

t.test('ROUGE agrees with js-rouge where that is given the reference\'s tokens and lines', async t => {
  const tokenizer = rougeTokenizer('default', false)
  const score = rougeScorer({ types: ['rouge1', 'rouge2', 'rouge3', 'rougeL', 'rougeLsum'] })
  const segmenter = (text: string) => text.split('\n').filter(line => line !== '')
  const oracles: Partial<Record<keyof RougeScores, (a: string, b: string) => number>> = {
    rouge1: (a, b) => n(a, b, { n: 1, tokenizer }),
    rouge2: (a, b) => n(a, b, { n: 2, tokenizer }),
    rouge3: (a, b) => n(a, b, { n: 3, tokenizer }),
    rougeL: (a, b) => l(a, b, { tokenizer, segmenter: text => [text] }),
    rougeLsum: (a, b) => l(a, b, { tokenizer, segmenter })
  }
  t.equal(firstMismatch(random => [summary(random), summary(random)] as const, ([a, b]) => {
    // The oracle throws where there is nothing to compare.
    if (tokenizer(a).length < 3 || tokenizer(b).length < 3) return null
    const ours = score(a, [b])
    for (const [type, oracle] of Object.entries(oracles)) {
      const mine = ours[type as keyof RougeScores]!.fmeasure
      const theirs = oracle(a, b)
      if (Math.abs(mine - theirs) > 1e-9) return `${type} ${mine}, not ${theirs},`
    }
    return null
  }), null)
})

/** A text and one made of it by a few changes; sometimes long enough for autojunk. */
function nearTexts (random: Random): readonly [string, string] {
  const characters = [...'ab c가나\n'.slice(0, random.whole(2, 7)), ...random.chance(0.3) ? ['😀', '\ud83d'] : []]
  const length = random.chance(0.2) ? random.whole(195, 260) : random.whole(0, 40)
  const a = Array.from({ length }, () => random.pick(characters))
  const b = a.flatMap(character => random.chance(0.8)
    ? character
    : random.pick([[], [random.pick(characters)], [character, random.pick([...characters, 'x'])]]))
  return [a.join(''), b.join('')]
}

t.test('difflib agrees with its npm port on code points', async t => {
  t.equal(firstMismatch(nearTexts, ([a, b]) => {
    for (const autojunk of [true, false]) {
      const ours = sequenceMatcher(b, { autojunk })
      const theirs = new SequenceMatcher(null, [...a], [...b], autojunk)
      const found = {
        ratio: ours.ratio(a),
        quick: ours.quickRatio(a),
        real: ours.realQuickRatio(a),
        blocks: ours.blocks(a).map(({ a, b, size }) => [a, b, size]),
        opcodes: ours.opcodes(a)
      }
      const expected = {
        ratio: theirs.ratio(),
        quick: theirs.quickRatio(),
        real: theirs.realQuickRatio(),
        blocks: theirs.getMatchingBlocks(),
        opcodes: theirs.getOpcodes()
      }
      const [mine, other] = [JSON.stringify(found), JSON.stringify(expected)]
      if (mine !== other) return `autojunk ${autojunk}: ${mine}, not ${other},`
      if (found.quick < found.ratio || found.real < found.quick) return 'a bound is below the ratio'
      if (similarityRatio(a, b, { autojunk }) !== found.ratio) return 'the short form says otherwise'
    }
    return null
  }), null)
})
