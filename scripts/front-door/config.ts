/** Settings of the front door, beside those of every process. */
import { Type, type Static } from 'typebox'

export const DoorConfig = Type.Object({
  DOOR_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    maximum: 3_600_000,
    default: 900_000,
    description: 'Until an answer begins, and between two parts of it; a GET has at most 90 s beside its ?wait=. A slow model may think for minutes.'
  })
})
export type DoorConfig = Static<typeof DoorConfig>
