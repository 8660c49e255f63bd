/**
 * Freezes reviewed items as a benchmark that needs nobody afterwards: blobs first, then items, the
 * benchmark itself last. A crash in between leaves what the next attempt finds already there.
 */
import type { Benchmark, BenchmarkItem, BenchmarkRequest, Source } from '../../../shared/contracts/benchmark.ts'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Cited } from '../baselines/domain/card.ts'
import type { PaperDiversity } from '../../../shared/text/diversity/compare.ts'
import type { Banks } from '../domain/bank/card.ts'
import { freezing, type Frozen } from '../domain/freeze.ts'
import { licenceOf } from '../domain/licence.ts'
import { limitsOf } from '../domain/limits.ts'
import type { BenchmarkDoc } from '../benchmark-doc.ts'
import type { Peers } from '../peers.ts'
import { reviewedItemsMax } from '../store.ts'
import { cardAgreement, cardDiversity, measured, type AgreementsOf } from './card-facts.ts'
import { copyBankImages } from './copy-bank-images.ts'
import { getDocument } from './get-document.ts'
import { reviewingReader, type ReadParts } from './get-reviewing.ts'
import type { ReviewingSpec } from './review-paper.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { traceMethod, type Traced } from './trace-method.ts'

export interface FreezeParts extends ReadParts {
  peers: Peers
  blobs: Blobs
  /** Finished partial-input baselines, one for each reviewing at most. */
  cite: (request: BenchmarkRequest) => Promise<Cited[]>
  agreementsOf: AgreementsOf
}

/**
 * @throws Problem not-finished while one of the reviewings is at work
 * @throws Problem benchmark-empty when no item qualifies
 */
export async function freezeBenchmark (
  parts: FreezeParts, request: BenchmarkRequest
): Promise<{ benchmark: Benchmark, created: boolean }> {
  const { specs, ...read } = await readAll(parts, request)
  const reviewers = new Map([...specs].map(([id, { recipe }]) =>
    [id, recipe.strategy === 'model' ? recipe.confirmModel : null]))
  const frozen = await inTurns(freezing({ request, ...read, reviewers, cited: await parts.cite(request) }))
  const existing = await parts.store.findBenchmark(frozen.benchmark.id)
  if (existing !== undefined) return { benchmark: existing.value, created: false }

  const doc = await copyIn(parts, frozen, await traceMethod(parts.peers, specs))
  const created = await parts.store.saveBenchmark(doc, frozen.items)
  return { benchmark: doc.value, created }
}

async function readAll (
  { jobs, store }: FreezeParts, { reviewingIds }: BenchmarkRequest
): Promise<{ reviewed: ReviewedItem[], notReviewed: number, specs: Map<string, ReviewingSpec> }> {
  const reviewed: ReviewedItem[] = []
  const specs = new Map<string, ReviewingSpec>()
  let notReviewed = 0
  for (const reviewingId of [...reviewingIds].sort()) {
    const { spec, round } = await reviewingReader({ jobs, store }).job(reviewingId)
    specs.set(reviewingId, spec)
    const { state } = await jobs.view(reviewingId)
    if (state === 'queued' || state === 'running') {
      throw new Problem('not-finished', `Reviewing ${reviewingId} is ${state}; GET /v1/reviewings/${reviewingId}?wait=60 waits for it.`)
    }
    const items = await store.allReviewedItems(reviewingId)
    if ((await jobs.find(reviewingId))?.round !== round) {
      // A retry while we read, at any replica: there may be more by now.
      throw new Problem('not-finished', `Reviewing ${reviewingId} was taken up again meanwhile; GET /v1/reviewings/${reviewingId}?wait=60 waits for it.`)
    }
    reviewed.push(...items)
    notReviewed += Math.max(0, spec.itemCount - items.length)
    if (reviewed.length > reviewedItemsMax) {
      throw new Problem('not-computable', `A benchmark is chosen from at most ${reviewedItemsMax} items; name fewer reviewings.`)
    }
  }
  return { reviewed, notReviewed, specs }
}

async function copyIn (
  parts: FreezeParts, { benchmark, items, lines }: Frozen, traced: Traced
): Promise<BenchmarkDoc> {
  const documents: BenchmarkDoc['documents'] = []
  const figures = new Map<string, string>()
  const papers: Benchmark['papers'] = []
  const sources: Source[] = []
  const diversities: PaperDiversity[] = []
  const itemsOf = byDocument(items)
  for (const paper of benchmark.papers) {
    const document = await getDocument(parts.peers, paper)
    const { id: blobId } = await parts.blobs.put(Buffer.from(canonicalJson(document)))
    documents.push({ documentHash: paper.documentHash, blobId })
    papers.push({ ...paper, title: document.title })
    sources.push({ ...paper, title: document.title, ...licenceOf(document) })
    const own = itemsOf.get(paper.documentHash) ?? []
    diversities.push(await measured(own, document))
    for (const { id: figureId, imageId } of figuresOf(own, document)) {
      if (imageId === null || figures.has(imageId)) continue
      const image = await parts.peers.parsing.getFigureImage(
        paper.paperId, figureId, paper.documentHash)
      figures.set(imageId, (await parts.blobs.put(image)).id)
    }
  }
  for (const { imageId, blobId } of await copyBankImages(parts, items)) figures.set(imageId, blobId)
  const { id: itemsBlobId } = await parts.blobs.put(Buffer.from(lines))
  const { missing, agreement } = await cardAgreement(parts.agreementsOf, benchmark.reviewingIds)
  const card = {
    ...benchmark.card,
    ...traced,
    sources,
    ...diversities.length > 0 && { diversity: await cardDiversity(parts.peers, diversities, traced.method) },
    agreement,
    limits: [...limitsOf(items, { sources, ofBanks: banksOf(traced) }), ...missing]
  }
  return {
    _id: benchmark.id,
    value: { ...benchmark, papers, card },
    itemsBlobId,
    documents,
    figures: [...figures].map(([imageId, blobId]) => ({ imageId, blobId }))
  }
}

function banksOf ({ banks = [], method: { imports = [] } }: Traced): Banks {
  return { banks, flagged: imports.reduce((sum, { rowCounts }) => sum + rowCounts.flagged, 0) }
}

/** Once for all papers: each would else look through the items of all. */
function byDocument (items: readonly BenchmarkItem[]): Map<string, BenchmarkItem[]> {
  const itemsOf = new Map<string, BenchmarkItem[]>()
  for (const item of items) {
    if (!('paperId' in item.source)) continue
    const own = itemsOf.get(item.source.documentHash) ?? []
    itemsOf.set(item.source.documentHash, own)
    own.push(item)
  }
  return itemsOf
}

/** Figures of the document that its items name, or offer as a choice. */
function figuresOf (own: readonly BenchmarkItem[], document: Document): Document['figures'] {
  const figureIds = new Set(own.flatMap(item => item.figureIds))
  const imageIds = new Set(own.flatMap(item => (item.choices ?? []).flatMap(choice => choice.imageId ?? [])))
  return document.figures.filter(({ id, imageId }) =>
    figureIds.has(id) || (imageId !== null && imageIds.has(imageId)))
}
