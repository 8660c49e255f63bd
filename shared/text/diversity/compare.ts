/** How diverse the items of a paper are, beside other selections of equal count, kinds and support rate. */
import type { Document } from '../../contracts/document.ts'
import { measures, type ClassCounts, type Measures } from '../../contracts/diversity.ts'
import type { Rooms } from './allotment.ts'
import type { Ground } from './ground.ts'
import type { Labels } from './labels.ts'
import { labelled, measuresOf } from './measure.ts'
import { centreChoice, randomChoice } from './rivals.ts'
import type { Subject } from './subject.ts'

/** `of`: items to choose from; `rivals`: null where nothing was left out. */
export interface PaperDiversity {
  paperId: string
  items: number
  of: number
  measures: Measures
  classes: ClassCounts
  rivals: { draws: number, random: Measures, kCentre: Measures } | null
}

export interface Choice {
  /** All that could be chosen, those chosen among them. */
  pool: readonly Subject[]
  rooms: Rooms
  seed: number
}

export function paperDiversity (
  chosen: readonly Subject[], ground: Ground, choice?: Choice
): PaperDiversity {
  const { pool } = choice ?? { pool: chosen }
  const { paperId }: Pick<Document, 'paperId'> = ground.document
  return {
    paperId,
    items: itemsOf(chosen),
    of: itemsOf(pool),
    measures: measuresOf(chosen, ground),
    classes: {
      questionClass: countsOf(chosen, 'questionClass'),
      difficulty: countsOf(chosen, 'difficulty'),
      figureType: countsOf(chosen, 'figureType')
    },
    rivals: choice === undefined || pool.length === chosen.length ? null : rivalsOf(choice, ground)
  }
}

/** As many draws as computing in a second or so allows: comparing each two is the square. */
const drawsMax = 100
const drawsMin = 10
const comparisonsMax = 4_000_000

function rivalsOf ({ pool, rooms, seed }: Choice, ground: Ground) {
  const count = [...rooms.values()].reduce((sum, room) => sum + room, 0)
  const draws = Math.max(drawsMin, Math.min(drawsMax, Math.floor(comparisonsMax / (count * count + 1))))
  const random = Array.from({ length: draws }, (_, draw) =>
    measuresOf(randomChoice(pool, rooms, `${seed} random ${draw}`), ground))
  return { draws, random: meanOf(random), kCentre: measuresOf(centreChoice(pool, rooms, `${seed} k-centre`), ground) }
}

function itemsOf (subjects: readonly Subject[]): number {
  return subjects.reduce((sum, { unit }) => sum + unit.length, 0)
}

function countsOf (subjects: readonly Subject[], axis: keyof Labels): Record<string, number> {
  const counts = new Map<string, number>()
  for (const label of labelled(subjects, axis)) counts.set(label, (counts.get(label) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1))
}

/** Null where any is. */
function meanOf (many: readonly Measures[]): Measures {
  return Object.fromEntries(measures.map(measure => {
    const values = many.map(one => one[measure].value)
    const n = many[0]?.[measure].n ?? 0
    const sum = values.reduce((all, value) => all === null || value === null ? null : all + value, 0)
    return [measure, { value: sum === null ? null : sum / many.length, n }]
  })) as Measures
}
