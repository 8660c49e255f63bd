/**
 * A paper that is deleted and uploaded again begins another life. Its job, its versions and its uses
 * of blobs bear the id of the life: another replica may still tidy up after one life, or parse it,
 * when the next has begun, and must not take anything from that.
 */
export interface Life {
  paperId: string
  /** How often the paper came back: 0 for its first life. */
  life: number
}

/** The id of the paper itself in its first life, `<paperId>.<life>` in a later one. */
export function lifeIdOf ({ paperId, life }: Life): string {
  return inLife(paperId, life)
}

/** What has `id` in the first life of its paper, in this one. */
export function inLife (id: string, life: number): string {
  return life === 0 ? id : `${id}.${life}`
}

/** @param id of a life, or of one of its readings (`<lifeId>@<reading>`) */
export function lifeOf (id: string): Life {
  const [lifeId = ''] = id.split('@')
  const [paperId = '', life = '0'] = lifeId.split('.')
  return { paperId, life: Number(life) }
}
