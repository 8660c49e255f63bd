/**
 * What a rater has read, as If-Match names it: the item in one version, or the item with what was
 * decided of it. The first goes stale by an edit, the second by any decision.
 */
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'

export function itemEtag (item: Item): string {
  return `"item-${sha256(canonicalJson(item)).slice(0, 32)}"`
}

export function stateEtag (reviewed: ReviewedItem): string {
  return `"state-${sha256(canonicalJson(reviewed)).slice(0, 32)}"`
}

/**
 * The tags of an If-Match header (RFC 9110 §13.1.1). A weak tag matches nothing there, and `*` says
 * nothing about what was read: neither is in the list.
 */
export function tagsOf (header: string | undefined): string[] {
  return (header ?? '').slice(0, 2000).split(',').map(tag => tag.trim()).filter(tag => /^"[^"]*"$/.test(tag))
}
