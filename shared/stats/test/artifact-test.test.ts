import t from 'tap'
import { seededRandom } from '../../testing/random.ts'
import { artifactPairsMin, artifactTest, type ArtifactTest, type QuestionPair } from '../artifact-test.ts'

interface Planted {
  papers: number
  perPaper: number
  /** How often one of the two members has the cue, and how often of these it is the true one. */
  cue: number
  inTrue: number
}

const names = Array.from({ length: 60 }, (_, i) => `compound${String.fromCharCode(97 + i % 26)}${i}`)
const words = ['higher', 'lower', 'increased', 'decreased', 'larger', 'smaller', 'blue', 'red', 'copper', 'zinc']

/** Pairs that differ in a number, name or word, drawn alike for both members; the cue on top. */
function planted (seed: number, { papers, perPaper, cue, inTrue }: Planted): QuestionPair[] {
  const random = seededRandom(seed)
  const facts = [() => String(random.whole(2, 99)), () => random.pick(names), () => random.pick(words)]
  const factOf = () => random.pick(facts)()
  return Array.from({ length: papers * perPaper }, (_, i) => {
    const member = random.chance(cue) ? (random.chance(inTrue) ? 'yes' : 'no') : 'neither'
    const subject = random.pick(names)
    const say = (of: string) => `Does the range of ${subject} reach ${factOf()} ${of === member ? 'completely ' : ''}in the test?`
    return { paper: `p${i % papers}`, yes: say('yes'), no: say('no') }
  })
}

function verdictsOf (count: number, of: Planted): Record<ArtifactTest['verdict'], number> {
  const seen = { passed: 0, failed: 0, undetermined: 0 }
  for (let seed = 1; seed <= count; seed++) seen[artifactTest(planted(seed, of)).verdict]++
  return seen
}

t.test('a cue in the false member of six pairs in ten is always found', async t => {
  const few = verdictsOf(30, { papers: 20, perPaper: 5, cue: 0.6, inTrue: 0 })
  t.same(few, { passed: 0, failed: 30, undetermined: 0 })
  const many = verdictsOf(10, { papers: 30, perPaper: 10, cue: 0.6, inTrue: 0 })
  t.same(many, { passed: 0, failed: 10, undetermined: 0 })
})

t.test('a cue that lets 65 pairs of a hundred be told does not pass', async t => {
  const { passed, failed } = verdictsOf(30, { papers: 40, perPaper: 10, cue: 0.3, inTrue: 0 })
  t.ok(passed === 0 && failed >= 29, `${passed} passed, ${failed} failed`)
})

t.test('clean pairs pass, and a word that is as often true as false is no cue', async t => {
  for (const cue of [0, 0.6]) {
    const { passed, failed } = verdictsOf(30, { papers: 40, perPaper: 10, cue, inTrue: 0.5 })
    t.ok(passed >= 22 && failed <= 1, `with the word in ${cue}: ${passed} passed, ${failed} failed`)
  }
})

t.test('the interval holds the truth about as often as it says, though folds learn from the same pairs', async t => {
  const random = seededRandom(11)
  const vocabulary = Array.from({ length: 400 }, (_, i) => `w${i}`)
  const word = () => vocabulary[Math.floor(400 * random.next() ** 2)]!
  const runs = 120
  for (const cue of [0, 0.2]) {
    const held = Array.from({ length: runs }, () => {
      const pairs = Array.from({ length: 120 }, (_, i): QuestionPair => {
        const stem = Array.from({ length: 8 }, word).join(' ')
        return { paper: `p${i % 20}`, yes: `${stem} ${word()}`, no: `${stem} ${random.chance(cue) ? 'never' : word()}` }
      })
      const { low, high } = artifactTest(pairs).interval!
      return low <= 0.5 + cue / 2 && 0.5 + cue / 2 <= high
    }).filter(Boolean).length
    t.ok(held / runs > 0.92, `with the word in ${cue}: ${held} of ${runs}`)
  }
})

t.test('below a hundred pairs nothing is said, however plain the cue', async t => {
  const of = { papers: 11, perPaper: 9, cue: 1, inTrue: 0 }
  const few = artifactTest(planted(1, of))
  t.equal(few.pairs, artifactPairsMin - 1)
  t.match(few, { verdict: 'undetermined', accuracy: 1, interval: { high: 1 } })
  t.match(artifactTest(planted(1, { ...of, papers: 12 })), { verdict: 'failed' })
})

t.test('of one paper, or of none, there is no figure', async t => {
  t.same(artifactTest([]), { pairs: 0, papers: 0, accuracy: null, interval: null, verdict: 'undetermined' })
  t.match(artifactTest(planted(1, { papers: 1, perPaper: 200, cue: 1, inTrue: 0 })), { accuracy: null, verdict: 'undetermined' })
})

t.test('words of one paper alone are no cue: a paper is never in two folds', async t => {
  // In each paper one name is true and another false, wherever they stand; no other paper has them.
  const random = seededRandom(5)
  const made = Array.from({ length: 60 }, () => Array.from({ length: 7 }, () => String.fromCharCode(random.whole(97, 122))).join(''))
  const pairs = Array.from({ length: 300 }, (_, i): QuestionPair => {
    const paper = i % 30
    const say = (name: string | undefined) => `Is sample ${i} of kind ${name}?`
    return { paper: `p${paper}`, yes: say(made[2 * paper]), no: say(made[2 * paper + 1]) }
  })
  const { accuracy, verdict } = artifactTest(pairs)
  t.ok(accuracy! > 0.3 && accuracy! < 0.7, `told: ${accuracy}`)
  t.not(verdict, 'failed')
})

t.test('the order of pairs changes nothing', async t => {
  const pairs = planted(3, { papers: 30, perPaper: 5, cue: 0.3, inTrue: 0.2 })
  const { interval, ...test } = artifactTest(pairs)
  const { interval: other, ...again } = artifactTest([...pairs].reverse())
  t.same(again, test)
  t.ok(Math.abs(interval!.high - other!.high) < 1e-9)
})
