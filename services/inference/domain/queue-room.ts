/**
 * How much may wait. The whole is bounded by count and by bytes; what one caller may hold is bounded
 * by the room that is left: a caller may hold no more than that. So a caller alone can fill half of
 * the queue, the next a quarter, and some room is left for one who comes new.
 *
 * @see dynamic thresholds: Choudhury & Hahne 1998, doi:10.1109/90.664262
 */

export interface Holding { count: number, bytes: number }

export interface QueueRoom extends Holding {
  readonly countMax: number
  readonly bytesMax: number
}

/** @param holding what the caller has waiting already */
export function hasRoom (room: QueueRoom, holding: Holding, bytes: number): boolean {
  const countFree = room.countMax - room.count
  const bytesFree = room.bytesMax - room.bytes
  if (countFree < 1 || bytesFree < bytes) return false
  // One who has nothing waiting gets in wherever it fits.
  if (holding.count === 0) return true
  return holding.count < countFree && holding.bytes + bytes <= bytesFree
}
