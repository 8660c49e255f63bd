/**
 * The most diverse so many items of a paper: greedy maximisation of a monotone submodular function, with
 * so many of each cell (a partition matroid). What it finds is worth at least half of the best there is.
 *
 * The function has the two parts of Lin and Bilmes: *coverage*, what of the paper the best of the chosen
 * holds (sentences, sections, figures, tables, claims of the abstract, pairs of words), and *reward of
 * diversity*, a concave function of how often each class is there (section, class of question,
 * difficulty, type of figure, all of them at once, form, terms): the tenth adds less than the second.
 *
 * @see Lin & Bilmes 2011, https://aclanthology.org/P11-1052; Fisher, Nemhauser & Wolsey 1978,
 *      doi:10.1007/BFb0121195; lazy evaluation: Minoux 1978, doi:10.1007/BFb0006528
 */
import { inHashOrder } from '../../contracts/hash.ts'
import { cellOf, type Rooms } from './allotment.ts'
import type { Ground } from './ground.ts'
import type { Labels } from './labels.ts'
import { speaksOf } from './measure.ts'
import type { Subject } from './subject.ts'

export interface Choosing {
  rooms: Rooms
  ground: Ground
  /** Decides between equals, with the keys of subjects. */
  seed: number
  /** Chosen already. */
  kept?: readonly Subject[]
}

/** One thing that choosing looks at, with what it is worth when all there is to have is had. */
interface Facet {
  weight: number
  /** `most`: of a feature counts the highest mass of any; `sum`: the square root of the sum. */
  joins: 'most' | 'sum'
  /** Feature → mass, not negative. */
  massesOf: (subject: Subject, ground: Ground) => Iterable<readonly [string | number, number]>
}

const once = (features: Iterable<string | number>) => Array.from(features, feature => [feature, 1] as const)
const classOf = (axis: keyof Labels) => ({ labels: { [axis]: label } }: Subject) =>
  once(label === undefined ? [] : [label])

/** Weights were set on every other of our development papers. */
const facets: readonly Facet[] = [
  { weight: 6, joins: 'most', massesOf: ({ sentences }) => once(sentences) },
  { weight: 2, joins: 'most', massesOf: ({ sections }) => once(sections) },
  { weight: 2, joins: 'most', massesOf: ({ figures }) => once(figures) },
  { weight: 2, joins: 'most', massesOf: ({ tables }) => once(tables) },
  { weight: 2, joins: 'most', massesOf: claimMasses },
  { weight: 3, joins: 'sum', massesOf: classOf('section') },
  { weight: 4, joins: 'sum', massesOf: classOf('questionClass') },
  { weight: 2.5, joins: 'sum', massesOf: classOf('difficulty') },
  { weight: 2, joins: 'sum', massesOf: classOf('figureType') },
  { weight: 1, joins: 'sum', massesOf: ({ labels }) => once([Object.values(labels).join(' ')]) },
  { weight: 1, joins: 'sum', massesOf: ({ form }) => once(form === undefined ? [] : [form]) },
  { weight: 4, joins: 'sum', massesOf: ({ vector }) => Array.from(vector, ([term, weight]) => [term, weight ** 2]) },
  // The share of its word pairs that none has yet: a long question is worth no more than a short one.
  { weight: 12, joins: 'most', massesOf: ({ bigrams }) => Array.from(bigrams, bigram => [bigram, 1 / bigrams.size]) }
]

function claimMasses (subject: Subject, { claims }: Ground): Array<[number, number]> {
  return claims.map(({ index }) => [index, speaksOf(subject, index) ? 1 : subject.claims.get(index) ?? 0])
}

/** A candidate, with what it would add by when so many were chosen. */
interface Bound { subject: Subject, gain: number, asOf: number }

/** @returns those chosen now, in the order in which they were chosen; `kept` are not among them */
export function mostDiverse (
  subjects: readonly Subject[], { rooms, ground, seed, kept = [] }: Choosing
): Subject[] {
  const keptKeys = new Set(kept.map(({ key }) => key))
  const free = inHashOrder(subjects.filter(({ key }) => !keptKeys.has(key)), ({ key }) => `${seed} ${key}`)
  const left = new Map(rooms)
  const hasRoom = ({ subject }: Bound) => (left.get(cellOf(subject)) ?? 0) > 0
  const count = kept.length + [...rooms.values()].reduce((sum, room) => sum + room, 0)
  const worth = worthOf([...free, ...kept], { ground, count })
  for (const subject of kept) worth.take(subject)
  let open: Bound[] = free.map(subject => ({ subject, gain: Infinity, asOf: -1 }))
  const chosen: Subject[] = []
  for (;;) {
    open = open.filter(hasRoom)
    const next = bestOf(open, { asOf: chosen.length, gainOf: worth.gainOf })
    if (next === undefined) return chosen
    open = open.filter(one => one !== next)
    worth.take(next.subject)
    left.set(cellOf(next.subject), left.get(cellOf(next.subject))! - 1)
    chosen.push(next.subject)
  }
}

/** Gains only fall: one that is the highest when worked out anew is the highest of all. */
function bestOf (
  open: readonly Bound[], { asOf, gainOf }: { asOf: number, gainOf: (subject: Subject) => number }
): Bound | undefined {
  const [first, ...others] = open
  if (first === undefined) return undefined
  for (;;) {
    const top = others.reduce((best, one) => one.gain > best.gain ? one : best, first)
    if (top.asOf === asOf) return top
    top.gain = gainOf(top.subject)
    top.asOf = asOf
  }
}

type Masses = ReadonlyArray<readonly [feature: string | number, mass: number]>

/** What a selection is worth: each facet as a share of what `count` of the subjects could have at most. */
function worthOf (subjects: readonly Subject[], { ground, count }: { ground: Ground, count: number }) {
  const parts = facets.map(({ weight, joins, massesOf }) => {
    const masses = new Map(subjects.map(subject => [subject.key, [...massesOf(subject, ground)]]))
    const scale = weight / ceilingOf([...masses.values()], { joins, count })
    return { joins, masses, scale, state: new Map<string | number, number>() }
  })
  return {
    gainOf: ({ key }: Subject): number => parts.reduce((sum, { joins, masses, state, scale }) => {
      let gain = 0
      for (const [feature, mass] of masses.get(key)!) {
        const before = state.get(feature) ?? 0
        gain += joins === 'most' ? Math.max(0, mass - before) : Math.sqrt(before + mass) - Math.sqrt(before)
      }
      return sum + scale * gain
    }, 0),
    take ({ key }: Subject): void {
      for (const { joins, masses, state } of parts) {
        for (const [feature, mass] of masses.get(key)!) {
          const before = state.get(feature) ?? 0
          state.set(feature, joins === 'most' ? Math.max(before, mass) : before + mass)
        }
      }
    }
  }
}

/** Each feature as often as it can be: once for `most`, evenly over all there are for `sum`. */
function ceilingOf (all: readonly Masses[], { joins, count }: { joins: Facet['joins'], count: number }): number {
  const highest = new Map<string | number, number>()
  let sum = 0
  for (const [feature, mass] of all.flat()) {
    highest.set(feature, Math.max(highest.get(feature) ?? 0, mass))
    sum += mass
  }
  if (sum === 0) return 1
  if (joins === 'most') return [...highest.values()].reduce((total, mass) => total + mass, 0)
  return Math.sqrt(sum / all.length * count * highest.size)
}
