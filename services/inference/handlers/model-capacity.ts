/** What model servers know of a prompt, and how many calls they take: for estimates. */
import { Problem } from '../../../shared/errors/problem.ts'
import type { EngineRequests } from './ask-engine.ts'
import { countTokens } from './count-tokens.ts'
import type { Directory } from './directory.ts'
import type { EstimateParts } from './estimate-calls.ts'
import type { Gauges } from './observe-metrics.ts'

interface Parts {
  directory: Pick<Directory, 'targets'>
  requests: Pick<EngineRequests, 'ask'>
  gauges: () => Pick<Gauges, 'upstreams'>
}

export function modelCapacity (
  { directory, requests, gauges }: Parts
): Pick<EstimateParts, 'count' | 'slots'> {
  return {
    async count (body) {
      const [target] = await directory.targets(body.model, [])
      return target === undefined
        ? { tokens: null, contextTokens: null }
        : await countTokens(requests, target, body)
    },
    /** Of all servers of the model, as they are found to be now; null while one of them is not known. */
    async slots (model) {
      try {
        const names = (await directory.targets(model, [])).map(({ replica }) => replica.upstream.name)
        const { upstreams } = gauges()
        const slots = names.map(name => upstreams.find(each => each.name === name)?.slots ?? NaN)
        const sum = slots.reduce((all, each) => all + each, 0)
        return sum > 0 ? Math.floor(sum) : null
      } catch (cause) {
        if (cause instanceof Problem) return null
        throw cause
      }
    }
  }
}
