/** A model by its name, or the one problem that says which there are. */
import { Problem } from '../errors/problem.ts'
import type { ServedModel } from './inference.ts'

const namesMax = 50

/**
 * @param own  names that are there besides, for example of baselines
 * @throws Problem model-not-found
 */
export function servedModel (
  served: readonly ServedModel[], name: string, own: readonly string[] = []
): ServedModel {
  const found = served.find(({ id }) => id === name)
  if (found !== undefined) return found
  const known = [...own, ...served.map(({ id }) => id)].slice(0, namesMax).join(', ') || 'none'
  throw new Problem('model-not-found', `There is no model "${name}". There is ${known}; a model server is added at start (UPSTREAMS=name=http://host:8000) or by POST /v1/upstreams.`)
}
