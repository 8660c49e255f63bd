/** Models in OpenAI's form, with what vLLM says beside it. */
import { Problem } from '../../../shared/errors/problem.ts'
import { absence, servingTable, type ModelEntry } from '../domain/serving.ts'
import type { Directory } from './directory.ts'

export interface ModelCard {
  id: string
  object: 'model'
  created: number
  owned_by: string
  root: string
  parent: string | null
  max_model_len: number | null
  capabilities: string[]
  available: boolean
}

/** @throws Problem upstream-unavailable when no server has ever answered; without any the list is empty */
export async function listModels (directory: Directory): Promise<ModelCard[]> {
  const models = await directory.models()
  const replicas = directory.replicas()
  const isAnyUp = replicas.some(({ probe }) => probe.state === 'up' || probe.state === 'sleeping')
  if (models.length === 0 && replicas.length > 0 && !isAnyUp) {
    throw absence({ model: null, needs: [] }, replicas, servingTable(replicas))
  }
  return models.map(cardOf)
}

/** @throws Problem model-not-found that names the known; upstream-unavailable */
export async function getModel (directory: Directory, id: string): Promise<ModelCard> {
  const found = (await directory.models()).find(model => model.id === id)
  if (found !== undefined) return cardOf(found)
  // Served since just now, or the reason why not.
  await directory.targets(id, [])
  const now = (await directory.models()).find(model => model.id === id)
  if (now === undefined) throw new Problem('model-not-found', `"${id.slice(0, 200)}" is no longer served.`)
  return cardOf(now)
}

function cardOf (entry: ModelEntry): ModelCard {
  const { id, root, parent, contextTokens, upstreams, available, capabilities } = entry
  return {
    id,
    object: 'model',
    // Servers say when they were asked, which is of no use and different each time.
    created: 0,
    owned_by: upstreams.join(', '),
    root,
    parent,
    max_model_len: contextTokens,
    capabilities,
    available
  }
}
