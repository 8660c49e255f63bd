/** Which of the drafts of one paper become items, and how diverse what became of them is. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Item, Rejection } from '../../../shared/contracts/item.ts'
import { roomsOf } from '../../../shared/text/diversity/allotment.ts'
import { mostDiverse } from '../../../shared/text/diversity/choose.ts'
import { paperDiversity, type PaperDiversity } from '../../../shared/text/diversity/compare.ts'
import { groundOf, type Ground } from '../../../shared/text/diversity/ground.ts'
import { labelsOf } from '../../../shared/text/diversity/labels.ts'
import { subjectOf, type Subject } from '../../../shared/text/diversity/subject.ts'
import { allDuplicatesAmong, unitsOf, type Unit } from '../../../shared/text/duplicates.ts'
import type { Resolved } from './recipe.ts'

export interface Selecting {
  document: Document
  recipe: Resolved
  /** Ids of items already: they stay. */
  kept: ReadonlySet<string>
}

/** A draft that became no item, and why. */
export interface NotTaken { itemId: string, rejection: Rejection }

export interface Selected { items: Item[], notTaken: NotTaken[], diversity: PaperDiversity }

/** Whether drafts wait for the end; otherwise each is an item at once. */
export function isChosenAtEnd ({ strategy, counts }: Resolved): boolean {
  return strategy === 'model' || counts?.itemsPerPaper !== undefined
}

/**
 * Drafts without those that repeat an earlier one; of these, with `counts.itemsPerPaper`, the most diverse
 * so many. Pairs whole or not at all. Each gets the slices questionClass, difficulty and figureType.
 *
 * @param drafts  in the order of the paper
 * @returns       items in that order
 */
export function selectItems (drafts: readonly Item[], { document, recipe, kept }: Selecting): Selected {
  const ground = groundOf(document)
  const units = unitsOf(drafts.map(draft => labelled(draft, ground)))
  const { distinct, repeated } = withoutRepeats(units, kept)
  const pool = distinct.map(unit => subjectOf(unit, ground))
  const { seed, counts: { itemsPerPaper } = {} } = recipe
  const chosen = itemsPerPaper === undefined ? pool : chosenOf(pool, { itemsPerPaper, ground, seed, kept })
  const taken = new Set(chosen)
  const left = pool.filter(subject => !taken.has(subject))
  const choice = { pool, rooms: roomsOf(pool, itemsPerPaper ?? Infinity), seed }
  return {
    items: inOrderOf(drafts, chosen.flatMap(({ unit }) => unit)),
    notTaken: [
      ...repeated,
      ...left.flatMap(({ unit }) => unit.map(item => notTaken(item, 'not-selected', `recipe.counts.itemsPerPaper is ${itemsPerPaper}; of the ${pool.length} questions and pairs made others add more.`)))
    ],
    diversity: paperDiversity(chosen, ground, left.length === 0 ? undefined : choice)
  }
}

/** Of items that nothing was left out of. */
export function measureItems (items: readonly Item[], document: Document): PaperDiversity {
  const ground = groundOf(document)
  return paperDiversity(unitsOf(items).map(unit => subjectOf(unit, ground)), ground)
}

interface Capped { itemsPerPaper: number, ground: Ground, seed: number, kept: ReadonlySet<string> }

function chosenOf (pool: readonly Subject[], { itemsPerPaper, ground, seed, kept }: Capped): Subject[] {
  const stay = pool.filter(({ unit }) => isAmong(kept, unit))
  const rooms = roomsOf(pool, itemsPerPaper, new Set(stay.map(({ key }) => key)))
  return [...stay, ...mostDiverse(pool, { rooms, ground, seed, kept: stay })]
}

function labelled (draft: Item, ground: Ground): Item {
  const { questionClass, difficulty, figureType } = labelsOf(draft, ground)
  const told = { questionClass, difficulty, ...figureType !== undefined && { figureType } }
  return { ...draft, slices: { ...draft.slices, ...told } }
}

/** What stays is compared first, so that nothing takes its place. */
function withoutRepeats (
  units: readonly Unit[], kept: ReadonlySet<string>
): { distinct: Unit[], repeated: NotTaken[] } {
  const isKept = (unit: Unit) => isAmong(kept, unit)
  const duplicateOf = allDuplicatesAmong([...units.filter(isKept), ...units.filter(unit => !isKept(unit))])
  const repeats = (unit: Unit) => !isKept(unit) && unit.some(({ id }) => duplicateOf.has(id))
  return {
    distinct: units.filter(unit => !repeats(unit)),
    repeated: units.filter(repeats).flatMap(unit => {
      const [earlier] = unit.flatMap(({ id }) => duplicateOf.get(id) ?? [])
      return unit.map(item => notTaken(item, 'duplicate', `It asks what ${earlier} asks, with the same answer.`))
    })
  }
}

function isAmong (ids: ReadonlySet<string>, unit: Unit): boolean {
  return unit.some(({ id }) => ids.has(id))
}

function notTaken ({ id, source, place, kind }: Item, reason: string, detail: string): NotTaken {
  return { itemId: id, rejection: { paperId: 'paperId' in source ? source.paperId : '', place, kind, reason, detail } }
}

function inOrderOf (drafts: readonly Item[], chosen: readonly Item[]): Item[] {
  const byId = new Map(chosen.map(item => [item.id, item]))
  return drafts.flatMap(({ id }) => byId.get(id) ?? [])
}
