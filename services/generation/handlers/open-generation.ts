/** Opens a generation, or says what it would do. */
import type { Estimate, GenerationRequest } from '../../../shared/contracts/generation.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import { noCalls } from '../../../shared/text/call-estimate.ts'
import { problemFromBody } from '../../../shared/errors/problem-body.ts'
import { Problem, type FieldError } from '../../../shared/errors/problem.ts'
import { strategyVersion } from '../domain/extractive.ts'
import { modelStrategyVersion } from '../domain/model/items.ts'
import { reviewOf } from '../domain/model/weigh-review.ts'
import { tablesVersion } from '../domain/tables/items.ts'
import { resolveRecipe, type ModelRecipe, type Resolved } from '../domain/recipe.ts'
import { assertLanguage } from './assert-language.ts'
import { assertReviewers, estimateCalls, modelParts } from './ask-model.ts'
import { placesOf } from './make-items.ts'
import type { GenerationSpec, Parts } from './parts.ts'

const askedAtOnce = 8

/**
 * Papers, the versions of their documents and the recipe make the id: the same input is the same
 * work. Papers are a set: in whatever order they are named, the items are the same, ids and all.
 */
export async function openGeneration (
  parts: Parts, { paperIds, recipe: asked }: GenerationRequest
): Promise<{ id: string, created: boolean }> {
  const recipe = resolveRecipe(asked)
  const hashes = await documentHashesOf(parts, paperIds)
  await assertLanguage(parts, recipe, { paperIds, hashes })
  await assertReviewers(parts, recipe)
  const papers = paperIds.map((paperId, i) => ({ paperId, documentHash: hashes[i]! }))
    .sort((a, b) => a.paperId < b.paperId ? -1 : 1)
  const spec: GenerationSpec = {
    paperIds: papers.map(({ paperId }) => paperId),
    documentHashes: papers.map(({ documentHash }) => documentHash),
    recipe,
    ...recipe.strategy === 'model' && await modelParts(parts, recipe as ModelRecipe)
  }
  const id = idOf('generation', { ...spec, strategyVersion: versionOf(recipe) })
  const { created } = await parts.jobs.open(id, spec)
  return { id, created }
}

function versionOf ({ strategy }: Resolved): string {
  return { model: modelStrategyVersion, tables: tablesVersion, extractive: strategyVersion }[strategy]
}

/** One paper after the other, so that only one document is held at a time. */
export async function estimateGeneration (
  parts: Parts, { paperIds, recipe: asked }: GenerationRequest
): Promise<Estimate> {
  const recipe = resolveRecipe(asked)
  const hashes = await documentHashesOf(parts, paperIds)
  await assertLanguage(parts, recipe, { paperIds, hashes })
  await assertReviewers(parts, recipe)
  const papers = paperIds.map((paperId, i) => ({ paperId, documentHash: hashes[i] }))
  if (recipe.strategy === 'model') return await estimateCalls(parts, recipe as ModelRecipe, papers)
  let tasks = 0
  for (const { paperId, documentHash } of papers) {
    tasks += placesOf(await parts.parsing.getDocument(paperId, documentHash), recipe).length
  }
  // Without a model there are no calls and no tokens to pay for.
  const none = { least: noCalls, most: noCalls }
  return { tasks, ...noCalls, ...none, review: reviewOf(recipe) === undefined ? none : null }
}

/** @throws Problem that names every paper which cannot be used; not-finished only if no other fault */
async function documentHashesOf ({ parsing }: Parts, paperIds: readonly string[]): Promise<string[]> {
  const answers: Array<string | Problem> = []
  for (let from = 0; from < paperIds.length; from += askedAtOnce) {
    answers.push(...await Promise.all(paperIds.slice(from, from + askedAtOnce)
      .map(async paperId => await documentHashOf(parsing, paperId))))
  }
  const errors: FieldError[] = []
  const faults: Problem[] = []
  for (const [i, answer] of answers.entries()) {
    if (!(answer instanceof Problem)) continue
    faults.push(answer)
    errors.push({ pointer: `/paperIds/${i}`, detail: answer.message })
  }
  const worst = faults.find(({ kind }) => kind !== 'not-finished') ?? faults[0]
  if (worst === undefined) return answers as string[]
  throw new Problem(worst.kind, `${faults.length} of ${paperIds.length} papers cannot be used; the first: ${worst.message}`, { errors })
}

/** What keeps the paper from being used is a value here: all of them are told at once. */
async function documentHashOf (parsing: Parts['parsing'], paperId: string): Promise<string | Problem> {
  try {
    const { state, documentHash, problems } = await parsing.getPaper(paperId)
    if (state === 'succeeded' && documentHash !== null) return documentHash
    if (state === 'queued' || state === 'running') {
      return new Problem('not-finished', `Paper ${paperId} is ${state}; GET /v1/papers/${paperId}?wait=60 waits for it.`)
    }
    const cause = problemFromBody(problems[0])
    if (cause === undefined) return new Problem('conflict', `Paper ${paperId} is ${state}; POST /v1/papers/${paperId}/retry parses it again.`)
    return new Problem(cause.kind, `Paper ${paperId}: ${cause.message}`)
  } catch (cause) {
    if (cause instanceof Problem && !cause.kind.startsWith('service-')) return cause
    throw cause
  }
}
