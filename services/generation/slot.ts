/** Where in a generation something was made; as a key it sorts in the order of the papers. */
export interface Slot { generationId: string, paperIndex: number, placeIndex: number }

/** Place of what belongs to a paper as a whole. */
export const wholePaper = 99_999

export function keyOf ({ generationId, paperIndex, placeIndex }: Slot, index: number): string {
  return `${generationId}-${digits(paperIndex)}-${digits(placeIndex)}-${digits(index)}`
}

/** Where in a bank an item stands; such keys come after those of generations. */
export function rowKeyOf (importId: string, row: number): string {
  return `${importId}-${String(row).padStart(8, '0')}`
}

function digits (index: number): string {
  return String(index).padStart(5, '0')
}
