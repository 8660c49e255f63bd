/** Which items are not independent of one another, and so are one draw to every interval and test. */
import type { Item } from '../contracts/item.ts'

/** The slice of a bank's items that says which belong together: to one passage, one image, one sitting. */
export const clusterDimension = 'cluster'

type Placed = Pick<Item, 'id' | 'source' | 'slices'> & { pairId?: string | undefined }

/**
 * Of an item of a paper, the paper. Of an item of a bank, what its slice `cluster` says; without one its
 * minimal pair; without that the item itself: it is then taken as independent of all others.
 */
export function clusterOf ({ id, source, pairId, slices }: Placed): string {
  if ('paperId' in source) return source.paperId
  if (Object.hasOwn(slices, clusterDimension)) return `${prefix.slice}${slices[clusterDimension]!}`
  return pairId === undefined ? `${prefix.item}${id}` : `${prefix.pair}${pairId}`
}

const prefix = { item: 'bank item ', pair: 'bank pair ', slice: 'bank cluster ' }

/** Whether the cluster is of a bank and not a paper. */
export function isBankCluster (cluster: string): boolean {
  return Object.values(prefix).some(start => cluster.startsWith(start))
}

/** Whether the cluster is one item of a bank. */
export function isLoneItem (cluster: string): boolean {
  return cluster.startsWith(prefix.item)
}

/** What the clusters of some items are: papers; items of banks, each its own; or of several sorts. */
export function clusterNoun (clusters: Iterable<string>): 'papers' | 'independent items' | 'clusters' {
  const all = [...clusters]
  if (!all.some(isBankCluster)) return 'papers'
  return all.every(isLoneItem) ? 'independent items' : 'clusters'
}
