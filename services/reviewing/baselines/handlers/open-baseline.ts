/** Opens a partial-input baseline, or finds the one that is the same. */
import { servedModel } from '../../../../shared/clients/served-model.ts'
import type { ServedModel } from '../../../../shared/clients/inference.ts'
import { canonicalJson, idOf, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { partialConditions, type PartialInputRequest } from '../../../../shared/contracts/partial-input.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { familyOf } from '../../../../shared/text/families.ts'
import { conditionsFor } from '../domain/conditions.ts'
import { ordersOf } from '../domain/orders.ts'
import { swapsOf } from '../domain/swaps.ts'
import { promptHashes } from '../prompts.ts'
import type { BaselineParts, BaselineSpec } from './parts.ts'
import { readSource } from './read-source.ts'

const callsMax = 1_000_000

/**
 * The id names what is asked, of which models, under which prompts, and the items as they stand: an
 * item that was edited since makes it another baseline.
 *
 * @throws Problem model-not-found; invalid-request; not-finished; not-computable
 */
export async function openBaseline (
  parts: BaselineParts, request: PartialInputRequest
): Promise<{ id: string, created: boolean }> {
  const { models, items, callCount } = await askedFor(parts, request)
  const hashed = items.map(item => ({ item, itemHash: sha256(canonicalJson(item)) }))
  // Each model says its family; names of models are no keys of a document, for they may hold dots.
  const { families, ...resolved } = request
  const asked: Omit<BaselineSpec, 'itemCount' | 'callCount'> = {
    ...resolved,
    conditions: partialConditions.filter(each => each === 'full' || request.conditions.includes(each)),
    kinds: [...request.kinds].sort(),
    verdicts: [...request.verdicts].sort(),
    models,
    prompts: promptHashes(parts.prompts)
  }
  const id = idOf('partialInputBaseline', { ...asked, items: hashed.map(({ item, itemHash }) => [item.id, itemHash]) })
  await parts.jobs.admit(id)
  const swaps = swapsOf(items, request.seed)
  await parts.baselines.saveAsked(id, hashed.map(each => ({ ...each, swaps: swaps.get(each.item.id) ?? [] })))
  return { id, ...await parts.jobs.open(id, { ...asked, itemCount: items.length, callCount }) }
}

/**
 * Whom a request asks about what.
 *
 * @throws Problem model-not-found; invalid-request; not-finished; not-computable
 */
export async function askedFor (
  parts: Pick<BaselineParts, 'peers' | 'store' | 'reviewings'>, request: PartialInputRequest
): Promise<Pick<BaselineSpec, 'models' | 'callCount'> & { items: Item[] }> {
  mustHaveRoom(request)
  const models = modelsOf(await parts.peers.inference.listModels(), request)
  const items = await readSource(parts, request)
  const callCount = models.length * items.reduce((sum, item) => sum + callsOf(item, request), 0)
  if (callCount <= callsMax) return { models, items, callCount }
  throw new Problem('not-computable', `This would be ${callCount} calls, and ${callsMax} is the most; ask for fewer models, conditions, orders or items.`)
}

function callsOf (item: Item, { conditions, orders, seed }: PartialInputRequest): number {
  return conditionsFor(item, conditions).length * ordersOf(item, { max: orders, seed }).length
}

function mustHaveRoom ({ sampling: { maxTokens }, contextTokens }: PartialInputRequest): void {
  if (maxTokens * 2 <= contextTokens) return
  throw new Problem('invalid-request', `A reply of ${maxTokens} tokens leaves less than half of a context of ${contextTokens} for the paper; lower sampling.maxTokens or raise contextTokens.`, {
    errors: [{ pointer: '/contextTokens', detail: 'Must be at least twice sampling.maxTokens.' }]
  })
}

/** In ascending name. Models of no known family may all be of one: they count as one, `unknown`. */
function modelsOf (
  served: readonly ServedModel[], { models, families }: PartialInputRequest
): BaselineSpec['models'] {
  const stray = Object.keys(families).find(name => !models.includes(name))
  if (stray !== undefined) {
    throw new Problem('invalid-request', `families names "${stray}", which is not among the models.`, {
      errors: [{ pointer: '/families', detail: 'Names of models alone.' }]
    })
  }
  return [...models].sort().map(name => {
    const found = servedModel(served, name)
    const family = families[name] ?? familyOf(name)!
    return { name, family: family.startsWith('unknown:') ? 'unknown' : family, vision: found.capabilities.includes('vision') }
  })
}
