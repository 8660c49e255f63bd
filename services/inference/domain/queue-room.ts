/**
 * How much may wait. The whole is bounded by count and by bytes; what one caller may hold is bounded
 * by the room that is left: `share` times it. So a caller alone can fill 4/5 of the queue, two of
 * them 4/9 each, and however many push, some room is left for one who comes new.
 *
 * @see dynamic thresholds: Choudhury & Hahne 1998, doi:10.1109/90.664262
 */

export interface Holding { count: number, bytes: number }

export interface QueueRoom extends Holding {
  readonly countMax: number
  readonly bytesMax: number
}

const share = 4

/** @param holding what the caller has waiting already */
export function hasRoom (room: QueueRoom, holding: Holding, bytes: number): boolean {
  const countFree = room.countMax - room.count
  const bytesFree = room.bytesMax - room.bytes
  if (countFree < 1 || bytesFree < bytes) return false
  // One who has nothing waiting gets in wherever it fits.
  if (holding.count === 0) return true
  return holding.count < share * countFree && holding.bytes + bytes <= share * bytesFree
}
