/** Strategy `tables`: items whose answer is computed from the cells of one table. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Made } from '../extractive.ts'
import type { Place } from '../plan.ts'
import type { Resolved } from '../recipe.ts'

export interface TableOrder { place: Place, generationId: string, recipe: Resolved }

export function tableItems (_document: Document, _order: TableOrder): Made {
  return { items: [], rejections: [] }
}
