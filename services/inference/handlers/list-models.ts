/** Which models there are, by asking every upstream that does not declare its own. */
import { Problem } from '../../../shared/errors/problem.ts'
import type { Upstream } from '../domain/upstream.ts'
import type { Upstreams } from './ask-upstream.ts'

const listTimeoutMs = 5_000
/** A list is remembered this long; a new model of a server appears after it. */
const freshMs = 5_000

export interface Model { id: string, upstream: Upstream }

export interface Models {
  /** @throws Problem upstream-… of the first fault when no upstream answers */
  list: () => Promise<Model[]>
  /** @throws Problem model-not-found that names the known; upstream-… while a server is away */
  upstreamOf: (model: string) => Promise<Upstream>
}

export function modelDirectory (upstreams: readonly Upstream[], requests: Upstreams): Models {
  let remembered: { at: number, models: Model[] } | undefined

  /** @returns the models of those that answer, and the first fault of one that does not */
  async function ask (): Promise<{ models: Model[], fault?: unknown }> {
    if (remembered !== undefined && performance.now() - remembered.at < freshMs) return remembered
    const asked = upstreams.map(async upstream => await modelsOf(upstream, requests))
    const lists = await Promise.allSettled(asked)
    const models = lists.flatMap(each => each.status === 'fulfilled' ? each.value : [])
    const fault = lists.find(each => each.status === 'rejected')
    // A partial list is not remembered: the missing server may be back at the next question.
    if (fault !== undefined) return { models, fault: fault.reason }
    remembered = { at: performance.now(), models }
    return remembered
  }

  return {
    async list () {
      const { models, fault } = await ask()
      if (models.length === 0 && fault !== undefined) throw fault
      return models
    },
    async upstreamOf (model) {
      const declared = upstreams.find(({ models }) => models?.includes(model))
      if (declared !== undefined) return declared
      if (upstreams.length === 0) {
        throw new Problem('model-not-found', 'No model server is configured; start with UPSTREAMS=name=http://host:8000.')
      }
      const { models, fault } = await ask()
      const found = models.find(({ id }) => id === model)
      if (found !== undefined) return found.upstream
      // It may be a model of the server that does not answer: nobody can say that there is none.
      if (fault !== undefined) throw fault
      const known = models.slice(0, 20).map(({ id }) => id).join(', ')
      throw new Problem('model-not-found', `No upstream serves "${model.slice(0, 200)}". There is: ${known || 'none'}.`)
    }
  }
}

async function modelsOf (upstream: Upstream, requests: Upstreams): Promise<Model[]> {
  if (upstream.models !== undefined) return upstream.models.map(id => ({ id, upstream }))
  const answer = await requests.json(upstream, { method: 'GET', path: '/v1/models', timeoutMs: listTimeoutMs })
  const data = (answer as { data?: Array<{ id?: unknown }> } | null)?.data
  if (!Array.isArray(data)) {
    throw new Problem('upstream-invalid', `The model server ${upstream.name} lists no models; is ${upstream.baseUrl} really a model server?`)
  }
  return data.map(({ id }) => ({ id: String(id), upstream }))
}
