/** Whether a quote is of the place that is asked about. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Evidence } from '../../../../shared/contracts/item.ts'
import type { Place } from '../plan.ts'
import { piecesAround } from './surroundings.ts'
import type { Fault } from './writer.ts'

/** At least one must be of the part itself, or of a paragraph that mentions it or stands in its section. */
export function aboutFault (
  evidence: readonly Evidence[], place: Place, document: Document
): Fault | undefined {
  const near = new Set([place.id, ...piecesAround(document, place).map(({ id }) => id)])
  return evidence.some(({ target }) => target.id !== undefined && near.has(target.id))
    ? undefined
    : { reason: 'not-about-the-place', detail: `No quote is of the ${place.aspect} itself, of a paragraph that mentions it, or of its section.` }
}
