/** A benchmark as content: everything but the documents and figures themselves. */
import type { Benchmark, BenchmarkItem, BenchmarkRequest } from '../../../shared/contracts/benchmark.ts'
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { inOneGo } from '../../../shared/text/in-one-go.ts'
import { needSlices, needsOf, partialInputCard, reasonToLeaveOut, type Cited, type Needs } from '../baselines/domain/card.ts'
import { canaryOf } from './canary.ts'
import { dataCard } from './data-card.ts'
import { familyOf } from '../../../shared/text/families.ts'
import { makersOf, reviewerOf, writerFamilyOf } from './makers.ts'
import { inSeededOrder, reasonsShown, selectItems, withoutRepeats } from './select-items.ts'

/** A benchmark whose papers' titles are not known yet. */
export interface Frozen {
  benchmark: Benchmark
  items: BenchmarkItem[]
  /** items.jsonl: canonical JSON, one item a line, in the order of `items`. */
  lines: string
}

export interface FreezeRequest {
  request: BenchmarkRequest
  /** Of all reviewings asked for, in ascending reviewing and item id. */
  reviewed: readonly ReviewedItem[]
  notReviewed: number
  /** Reviewing id → the model that gives its verdicts; null where checks alone were made. */
  reviewers: ReadonlyMap<string, string | null>
  /** Finished partial-input baselines, in ascending reviewing id. */
  cited?: readonly Cited[]
}

/** Items whose lines are written between two pauses: some milliseconds. */
const itemsAtOnce = 20

/** In one go; see `freezing`. */
export function freeze (asked: FreezeRequest): Frozen {
  return inOneGo(freezing(asked))
}

/**
 * Takes the eligible items, orders them and names the result by what it is. Pure: the same items
 * and request give the same bytes, on any machine and in any year. It pauses wherever others may have
 * their turn, for many items take seconds.
 *
 * @throws Problem benchmark-empty, with a count of every reason, when nothing is left
 * @throws Problem conflict when an item stands in two of the reviewings, perhaps with two verdicts
 */
export function * freezing (
  { request, reviewed, notReviewed, reviewers, cited = [] }: FreezeRequest
): Generator<void, Frozen> {
  mustNotShareItems(reviewed)
  yield
  const needs = needsOf(cited, reviewed)
  const selected = selectItems(reviewed, request, ({ item }) =>
    reasonToLeaveOut(needs.get(item.id), request.leaveOut))
  const { taken, leftOut } = request.reviewingIds.length === 1
    ? selected
    : withoutRepeats(selected)
  if (taken.length === 0) throw new Problem('benchmark-empty', emptyDetail(reviewed.length, leftOut))

  yield
  const ordered = inSeededOrder(taken, request.seed)
  yield
  const items: BenchmarkItem[] = []
  const blocks: string[] = []
  for (let from = 0; from < ordered.length; from += itemsAtOnce) {
    yield
    const some = ordered.slice(from, from + itemsAtOnce).map(entry => frozenItem(entry, { reviewers, needs }))
    items.push(...some)
    blocks.push(some.map(item => `${canonicalJson(item)}\n`).join(''))
  }
  yield
  const lines = blocks.join('')
  const papers = papersOf(items)
  const name = request.name
  const documents = papers.map(({ documentHash }) => documentHash)
  const version = sha256(canonicalJson({ name, documents, items: sha256(lines) }))
  const terms = {
    reviewingIds: sorted(request.reviewingIds),
    verdicts: sorted(request.verdicts),
    kinds: request.kinds === undefined ? null : sorted(request.kinds),
    ...request.decisions !== undefined && { decisions: sorted(request.decisions) },
    ...cited.length > 0 && { partialInputBaselineIds: sorted(cited.map(({ id }) => id)) },
    ...request.leaveOut !== undefined && { leaveOut: sorted(request.leaveOut) },
    seed: request.seed
  }
  yield
  const counted = yield * dataCard({ items, leftOut, notReviewed })
  yield
  const partial = yield * partialInputCard(items, { cited, needs })
  yield
  const card = {
    ...counted,
    ...partial,
    notes: [...counted.notes, ...partial.notes],
    ...makersOf(ordered, reviewers),
    canary: canaryOf(version)
  }
  return {
    benchmark: { id: idOf('benchmark', { version, ...terms }), version, name, ...terms, papers, card },
    items,
    lines
  }
}

function frozenItem (
  entry: ReviewedItem, { reviewers, needs }: Pick<FreezeRequest, 'reviewers'> & { needs: Needs }
): BenchmarkItem {
  const { item, verdict, decision, edit, revision } = entry
  const reviewerFamily = familyOf(reviewerOf(entry, reviewers))
  const slices = { ...item.slices, ...needSlices(needs.get(item.id)) }
  const people = {
    ...decision !== null && { decision },
    ...edit !== undefined && { edit: { role: edit.role, revision }, checks: edit.checks }
  }
  return { ...item, slices, verdict, generatorFamily: writerFamilyOf(entry), reviewerFamily, ...people }
}

function emptyDetail (total: number, leftOut: ReadonlyMap<string, number>): string {
  if (total === 0) return 'The reviewings hold no item at all: their generations made none.'
  return `None of the ${total} reviewed items qualifies: ${reasonsShown(leftOut)}. ` +
    'Ask for other verdicts or kinds, or read the failed checks in /v1/reviewed-items.'
}

function mustNotShareItems (reviewed: readonly ReviewedItem[]): void {
  const seen = new Set<string>()
  for (const { item, reviewingId } of reviewed) {
    if (seen.has(item.id)) {
      throw new Problem('conflict', `Item ${item.id} of ${reviewingId} stands in another of the reviewings too; name only one of them.`)
    }
    seen.add(item.id)
  }
}

function papersOf (items: readonly BenchmarkItem[]): Benchmark['papers'] {
  const papers = new Map<string, Benchmark['papers'][number]>()
  for (const { source } of items) {
    if ('paperId' in source) papers.set(source.documentHash, { ...source, title: '' })
  }
  return [...papers.values()].sort((a, b) => a.documentHash < b.documentHash ? -1 : 1)
}

function sorted<T extends string> (names: readonly T[]): T[] {
  return [...names].sort()
}
