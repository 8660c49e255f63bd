/** Runs every check against an engine and through the proxy in front of it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServices } from '../../shared/app/start.ts'
import { silentLog } from '../../shared/app/log.ts'
import { inference } from '../../services/inference/service.ts'
import { asking, type Facts } from './ask.ts'
import { rowOf, type Check, type EngineName, type Row, type Target } from './check.ts'
import { goodRequests } from './checks/answers.ts'
import { badRequests } from './checks/refusals.ts'
import { onTheWire } from './checks/wire.ts'
import type { Engine } from './engines/engine.ts'
import { streamTap } from './stream-tap.ts'

export const checks: readonly Check[] = [...goodRequests, ...badRequests, ...onTheWire]

export interface Conformance {
  name: EngineName
  engine: Engine
  /** Those to be run; all when left out. */
  only?: readonly Check[]
  onRow?: (row: Row) => void
}

/** One row for each check, in their order; the proxy is started and ended here. */
export async function runConformance ({ name, engine, only = checks, onRow }: Conformance): Promise<Row[]> {
  const data = await mkdtemp(join(tmpdir(), 'viva-conformance-'))
  const tap = await streamTap(engine.url)
  const proxy = await startServices([inference], {
    HOST: '127.0.0.1', PORT: '0', DATA_DIR: data, RATE_PER_MINUTE: '0', UPSTREAMS: `engine=${tap.url}`
  }, { log: silentLog() })
  const straight = asking(engine.url)
  const through = asking(proxy.url)
  const shared = {
    engine: name,
    model: engine.model,
    contextLength: engine.contextLength,
    streamed: tap.streamed,
    running: async () => runningIn((await straight.ask('/metrics')).text)
  }
  const direct: Target = { ...shared, via: 'direct', url: engine.url, ask: straight.ask }
  const proxied: Target = { ...shared, via: 'proxy', url: proxy.url, ask: through.ask }
  const rows: Row[] = []
  try {
    for (const check of only) {
      const row = await rowFrom(check, direct, proxied)
      rows.push(row)
      onRow?.(row)
    }
    return rows
  } finally {
    await Promise.all([straight.close(), through.close()])
    await proxy.close()
    await tap.close()
    await rm(data, { recursive: true, force: true })
  }
}

/** A check that breaks off is a row too: what broke it is told. */
async function rowFrom (check: Check, direct: Target, proxied: Target): Promise<Row> {
  let facts: Facts = {}
  try {
    facts = await check.run(direct)
    return rowOf(check, facts, check.directOnly === true ? undefined : await check.run(proxied))
  } catch (cause) {
    return { name: check.name, verdict: 'failed', direct: facts, differences: [String(cause)] }
  }
}

/** Requests that the engine works on; null where its metrics do not say. */
export function runningIn (metrics: string): number | null {
  const gauges = [...metrics.matchAll(/^(?:vllm:num_requests_running|llamacpp:requests_processing)(?:\{[^}]*\})? ([\d.e+]+)$/gm)]
  return gauges.length === 0 ? null : gauges.reduce((sum, [, value]) => sum + Number(value), 0)
}
