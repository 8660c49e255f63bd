/** Reviewing's own prompts and loop, put to a model through a suite that runs here. */
import { imageSideMax } from '../../../shared/clients/ask-for-value.ts'
import { takingTurnsInBudgets } from '../../../shared/clients/calls-in-budget.ts'
import { generationClient } from '../../../shared/clients/generation.ts'
import { httpCall } from '../../../shared/clients/http-call.ts'
import { inferenceClient } from '../../../shared/clients/inference.ts'
import { parsingClient } from '../../../shared/clients/parsing.ts'
import { serviceNames, type ServiceName } from '../../../shared/app/service.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { inHashOrder } from '../../../shared/contracts/hash.ts'
import type { Generation, ReviewRecipe } from '../../../shared/contracts/generation.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import type { Review } from '../../../shared/contracts/review.ts'
import { createShrinker } from '../../../shared/images/shrinker.ts'
import { unitsOf } from '../../../shared/text/duplicates.ts'
import { resolveReviewRecipe, type ModelReviewRecipe } from '../../../shared/contracts/review-recipe.ts'
import { materialFor } from '../../../services/reviewing/domain/loop/material.ts'
import { itemValues } from '../../../services/reviewing/domain/loop/review-prompt.ts'
import { rubricOf } from '../../../services/reviewing/domain/loop/rubric.ts'
import { askReview } from '../../../services/reviewing/handlers/ask-review.ts'
import { reviewUnit } from '../../../services/reviewing/handlers/review-unit.ts'
import type { UnitParts } from '../../../services/reviewing/handlers/unit-parts.ts'
import { loadPrompts } from '../../../services/reviewing/prompts.ts'
import type { Peers } from '../../../services/reviewing/peers.ts'
import { api } from '../../exam/api.ts'
import { drawnItem } from './drawn-figures.ts'
import type { Measuring, Reviewer, Seen } from './measure.ts'

export interface SuiteReviewers {
  units: Measuring['units']
  reviewerOf: (model: string) => Promise<Reviewer>
  close: () => Promise<void>
}

/** Of the review recipe; what is not given is as usual. */
export type Reading = Pick<ReviewRecipe, 'contextTokens' | 'maxRounds' | 'sampling'>

interface Given {
  url: string
  files: readonly string[]
  itemsMax: number
  seed: number
  drawnCount: number
  reading?: Reading
}

export async function suiteReviewers (given: Given): Promise<SuiteReviewers> {
  const { url, files, itemsMax, seed, drawnCount, reading } = given
  const urls = Object.fromEntries(serviceNames.map(name => [name, url])) as Record<ServiceName, string>
  const { call, close } = httpCall({ here: [], socketPath: () => '', urls })
  const inference = inferenceClient(call)
  const parsing = parsingClient(call)
  const peers: Peers = { inference, parsing, generation: generationClient(call) }
  const shrinker = createShrinker()
  const allDrawn = Array.from({ length: drawnCount }, (_, i) => drawnItem(i, seed))
  const drawn = new Map(allDrawn.map(({ document, png }) => [document.paperId, png]))
  const parts: Omit<UnitParts, 'store'> = {
    peers,
    prompts: await loadPrompts(),
    documentOf: async ({ paperId, documentHash }) => await parsing.getDocument(paperId, documentHash),
    async imageOf ({ paperId, documentHash }, figureId) {
      const png = drawn.get(paperId) ?? await parsing.getFigureImage(paperId, figureId, documentHash)
      return `data:image/png;base64,${(await shrinker.shrink(png, imageSideMax)).toString('base64')}`
    },
    budgets: takingTurnsInBudgets(),
    duplicatesOf: async () => new Map(),
    // As long as inference itself waits: a small machine takes minutes for a reply.
    timeoutMs: 7_200_000
  }
  return {
    units: await readUnits(url, { files, itemsMax, seed }),
    async reviewerOf (model) {
      const served = await inference.listModels()
      const vision = served.find(({ id }) => id === model)?.capabilities.includes('vision') ?? false
      const recipe = resolveReviewRecipe({ strategy: 'model', model, seed, ...reading }) as ModelReviewRecipe
      // Neither asks the store: that is done by the task, and here is none.
      return reviewerWith(parts as UnitParts, recipe, vision)
    },
    async close () {
      await shrinker.close()
      await close()
    }
  }
}

function reviewerWith (parts: UnitParts, recipe: ModelReviewRecipe, sees: boolean): Reviewer {
  const workOn = ({ paperId, documentHash, ...rest }: Document) => ({
    reviewingId: 'bench-reviewer',
    recipe,
    paper: { paperId, documentHash },
    document: { paperId, documentHash, ...rest },
    vision: { model: sees, confirmModel: sees },
    signal: new AbortController().signal
  })
  return {
    vision: sees,
    shows ({ item, document }, text) {
      const rubric = rubricOf(item)
      const { values } = materialFor(item, document, {
        contextTokens: recipe.contextTokens,
        maxTokens: recipe.sampling.maxTokens,
        otherText: [parts.prompts.review[rubric].template, ...Object.values(itemValues(item, rubric, []))].join('\n'),
        vision: sees
      })
      return Object.values(values).some(value => value.includes(text))
    },
    async ask ({ item, document }, repeat) {
      return seenOf(await askReview(parts, workOn(document), { item, role: 'round', round: repeat }))
    },
    async improve (unit, document) {
      const { reviewed } = await reviewUnit(parts, workOn(document), { items: unit, generationId: '' })
      if (reviewed[0]!.revision === 0) return null
      return reviewed.map(({ item }, i) => (
        { first: { item: unit[i]!, document }, final: { item, document } }))
    }
  }
}

function seenOf ({ scores, verdict }: Review): Seen | null {
  if (scores === null) return null
  const all = Object.values(scores)
  return { mean: all.reduce((sum, score) => sum + score, 0) / all.length, verdict, scores }
}

/** Items made without a model, which are sound as far as code can tell; pairs whole. */
async function readUnits (
  url: string, { files, itemsMax, seed }: Pick<Given, 'files' | 'itemsMax' | 'seed'>
): Promise<Measuring['units']> {
  const http = api(url)
  const units: Array<{ items: readonly Item[], document: Document }> = []
  for (const file of files) {
    const { id } = await http.upload<Paper>(file)
    const paper = await http.follow<Paper>(`/v1/papers/${id}`, () => {})
    if (paper.state !== 'succeeded') throw new Error(`${file} could not be parsed: ${paper.problems[0]?.detail ?? paper.state}`)
    const document = await http.get<Document>(`/v1/papers/${id}/document`)
    for (const recipe of [{ kinds: ['qa', 'binary'] }, { strategy: 'tables', kinds: ['choice'] }]) {
      const asked = { paperIds: [id], recipe: { ...recipe, seed, review: false } }
      const made = await http.post<Generation>('/v1/generations', asked)
      await http.follow<Generation>(`/v1/generations/${made.id}`, () => {})
      units.push(...unitsOf(await itemsOf(made.id)).map(items => ({ items, document })))
    }
  }
  const chosen: typeof units = []
  let count = 0
  for (const unit of inHashOrder(units, ({ items }) => `${seed} ${items[0]!.id}`)) {
    if (count + unit.items.length > itemsMax) break
    count += unit.items.length
    chosen.push(unit)
  }
  return chosen

  async function itemsOf (generationId: string): Promise<Item[]> {
    const all: Item[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { items: Item[], nextCursor: string | null } =
        await http.get(`/v1/items?generationId=${generationId}&limit=200${cursor && `&cursor=${cursor}`}`)
      all.push(...page.items)
      cursor = page.nextCursor
    }
    return all
  }
}
