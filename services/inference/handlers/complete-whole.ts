/** One chat completion of the first upstream that serves the model, in one piece. */
import { canonicalJson, sha256 } from '../../../shared/contracts/hash.ts'
import type { Upstreams } from './ask-upstream.ts'
import type { Directory } from './directory.ts'
import type { Complete } from './structured-completion.ts'

export function completeWhole (directory: Directory, requests: Upstreams): Complete<{ signal: AbortSignal }> {
  return async (body, { signal }) => {
    const [target] = await directory.targets(body.model, [])
    if (target === undefined) throw new Error('The directory answered no target')
    const { replica: { upstream, probe }, served } = target
    const question = { method: 'POST' as const, path: '/v1/chat/completions', body: { ...body, model: served }, signal }
    return {
      reply: await requests.json(upstream, question),
      requestHash: `cmp_${sha256(canonicalJson(body)).slice(0, 32)}`,
      upstream: upstream.name,
      upstreamVersion: probe.version,
      attempts: 1,
      source: 'upstream'
    }
  }
}
