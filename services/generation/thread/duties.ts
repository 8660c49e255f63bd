/** What is done for a paper inside the thread, and what both sides say of it. */
import type { Item } from '../../../shared/contracts/item.ts'
import type { PaperDiversity } from '../../../shared/text/diversity/compare.ts'
import { groundworkOf, itemsFor, type Groundwork, type Made, type Order } from '../domain/extractive.ts'
import { begun, continued, type Begun, type Site, type Written } from '../domain/model/desk.ts'
import type { Drafting } from '../domain/model/drafting.ts'
import { materialOf } from '../domain/model/material.ts'
import type { Material } from '../domain/model/writer.ts'
import { weightOf, type Weight } from '../domain/model/weigh.ts'
import type { Place } from '../domain/plan.ts'
import type { ModelRecipe, Resolved } from '../domain/recipe.ts'
import { measureItems, selectItems, type Selected } from '../domain/select-items.ts'
import { tableItems } from '../domain/tables/tables.ts'

/** `vision` with the strategy model. */
export interface PaperOrder extends Order { vision?: boolean }

/**
 * The items of a place without a model; the first ask of a writer; what a reply makes of its drafts; what
 * all writers would ask; which of all drafts become items; how diverse items are.
 */
export type Duty =
  { do: 'make', place: Place } |
  { do: 'begin' } & Site |
  { do: 'continue' } & Written |
  { do: 'weigh', prompts: Record<string, Site['prompt']> } |
  { do: 'select', drafts: readonly Item[], kept: ReadonlySet<string> } |
  { do: 'measure', items: readonly Item[] }

export type Done<D extends Duty = Duty> =
  D extends { do: 'make' } ? Made :
    D extends { do: 'begin' } ? Begun :
      D extends { do: 'continue' } ? Drafting :
        D extends { do: 'select' } ? Selected :
          D extends { do: 'measure' } ? PaperDiversity : Weight

export interface Paper { order: PaperOrder, groundwork?: Groundwork, material?: Material }

/** What places of a paper share is kept in `paper`. */
export function doneFor (duty: Duty, paper: Paper): Done {
  const { order } = paper
  if (duty.do === 'make') {
    if (order.recipe.strategy === 'tables') return tableItems(order.document, duty.place.id, order)
    paper.groundwork ??= groundworkOf(order)
    return itemsFor(duty.place, paper.groundwork)
  }
  const { document, recipe, vision = false } = order
  if (duty.do === 'select') return selectItems(duty.drafts, { document, recipe: recipe as Resolved, kept: duty.kept })
  if (duty.do === 'measure') return measureItems(duty.items, document)
  paper.material ??= materialOf(document, { recipe: recipe as ModelRecipe, vision })
  switch (duty.do) {
    case 'begin': return begun(duty, paper.material)
    case 'continue': return continued(duty, paper.material)
    case 'weigh': return weightOf(paper.material, duty.prompts)
  }
}
