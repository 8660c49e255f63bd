/** The whole way once: items of a paper, scripted models behind a fake vLLM, a baseline through the API. */
import { sha256 } from '../../../shared/contracts/hash.ts'
import type { Generation } from '../../../shared/contracts/generation.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Page } from '../../../shared/contracts/page.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import type { PartialInputBaseline, PartialInputItem } from '../../../shared/contracts/partial-input.ts'
import type { Reviewing, ReviewedItem } from '../../../shared/contracts/review.ts'
import type { Known } from '../../../shared/testing/fake-solver.ts'
import type { Api } from '../../exam/api.ts'

export interface Prepared { reviewingId: string, items: Item[] }

/** Choices executed from the tables of a paper, and minimal pairs on its figures. */
export async function prepare (http: Api, file: string): Promise<Prepared[]> {
  const { id } = await http.upload<Paper>(file)
  await http.follow<Paper>(`/v1/papers/${id}`, () => {})
  const prepared: Prepared[] = []
  for (const recipe of [{ strategy: 'tables', kinds: ['choice'] }, { kinds: ['binary'], pairsPerFigureMax: 10 }]) {
    const generation = await http.post<Generation>('/v1/generations', { paperIds: [id], recipe: { ...recipe, review: false } })
    await http.follow<Generation>(`/v1/generations/${generation.id}`, () => {})
    const reviewing = await http.post<Reviewing>('/v1/reviewings', { source: { generationId: generation.id } })
    await http.follow<Reviewing>(`/v1/reviewings/${reviewing.id}`, () => {})
    const items = (await all<ReviewedItem>(http, `/v1/reviewed-items?reviewingId=${reviewing.id}&eligible=true`)).map(({ item }) => item)
    if (items.length > 0) prepared.push({ reviewingId: reviewing.id, items })
  }
  return prepared
}

/**
 * A fifth of them leak, pairs as a whole; the others are told by the paper's abstract, which stands in
 * every full input.
 */
export function knownOf (items: readonly Item[], tells: string): { known: Known[], leaky: Set<string> } {
  const leaky = new Set(items.filter(({ id, pairId }) => Number.parseInt(sha256(`leak ${pairId ?? id}`).slice(0, 4), 16) % 5 === 0).map(({ id }) => id))
  const known = items.map(({ id, question, choices = [], answerIndex = 0 }) => {
    const texts = choices.map(({ text }) => text.replace(/\s+/gu, ' '))
    const told = { tells: [tells], leaky: leaky.has(id) }
    return { question: question.trim(), choices: texts, right: texts[answerIndex]!, ...told }
  })
  return { known, leaky }
}

export interface Walked { baseline: PartialInputBaseline, items: PartialInputItem[] }

export async function walk (http: Api, reviewingId: string, models: readonly string[]): Promise<Walked> {
  const opened = await http.post<PartialInputBaseline>('/v1/partial-input-baselines', {
    source: { reviewingId }, models, conditions: ['closed-book', 'question-only', 'choices-only']
  })
  const path = `/v1/partial-input-baselines/${opened.id}`
  const baseline = await http.follow<PartialInputBaseline>(path, () => {})
  return { baseline, items: await all<PartialInputItem>(http, `${path}/items?`) }
}

async function all<T> (http: Api, path: string): Promise<T[]> {
  const found: T[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<T> = await http.get(`${path}&limit=200${cursor && `&cursor=${cursor}`}`)
    found.push(...page.items)
    cursor = page.nextCursor
  }
  return found
}
