/** A dispatcher over servers that exist in a table only, in a world whose time the test lets pass. */
import { Problem } from '../../../shared/errors/problem.ts'
import { createNode, createWorld } from '../../../shared/testing/virtual-time.ts'
import type { Call } from '../domain/call.ts'
import { unprobed, type Replica } from '../domain/replica.ts'
import type { Upstream } from '../domain/upstream.ts'
import { dispatcher, type Ended, type Lease } from '../handlers/dispatcher.ts'

export interface Given {
  upstreams: Array<Partial<Upstream> & { name: string }>
  waitingMax?: number
  random?: () => number
}

export function givenReplica (upstream: Partial<Upstream> & { name: string }): Replica {
  return {
    upstream: { baseUrl: `http://${upstream.name}`, capabilities: [], models: ['m'], ...upstream },
    probe: { ...unprobed, state: 'up' },
    load: null,
    inFlight: 0
  }
}

export function givenDispatcher ({ upstreams, waitingMax = 20_000, random = () => 0.5 }: Given) {
  const world = createWorld()
  const timers = { begun: 0 }
  const { clock: { now, after } } = createNode(world, { rate: 1, offset: 0 })
  const clock = {
    now,
    after (ms: number, call: () => void) {
      timers.begun += 1
      return after(ms, call)
    }
  }
  const replicas = upstreams.map(givenReplica)
  const faulted: string[] = []
  const directory = {
    replicas: () => replicas,
    faulted (name: string) { faulted.push(name) },
    async targets (model: string, needs: readonly string[]) {
      const serving = replicas.filter(({ upstream: { models = [], capabilities } }) =>
        models.includes(model) && needs.every(need => capabilities.includes(need)))
      if (serving.length === 0) throw new Problem('model-not-found', `There is no model ${model}.`)
      return serving.map(replica => ({ replica, served: `${model}@${replica.upstream.name}` }))
    }
  }
  const dispatching = dispatcher({
    directory, clock, random, limits: { waitingMax, waitingBytesMax: 1e9, blockTokens: 256 }
  })
  let calls = 0

  function givenCall (given: Partial<Call> & { model?: string, caller?: string, group?: string } = {}): Call {
    const { model = 'm', caller = 'c', group = 'g', ...rest } = given
    return {
      id: `call-${calls++}`,
      path: '/v1/chat/completions',
      body: { model },
      labels: { caller, group, purpose: '' },
      replay: 'off',
      sampleIndex: null,
      band: 1,
      tokens: 1000,
      bytes: 100,
      prefix: [],
      needs: [],
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      ...rest
    }
  }

  /** Asks for a slot; what has become of it can be looked at. */
  function ask (
    given: Parameters<typeof givenCall>[0] = {},
    { exclude, deadlineMs = 1e9 }: { exclude?: string[], deadlineMs?: number } = {}
  ) {
    const asked: Asked = { call: givenCall(given), lease: null, error: null, endedAt: null }
    dispatching.acquire(asked.call, { exclude: new Set(exclude), deadline: now() + deadlineMs })
      .then(lease => { asked.lease = lease }, error => { asked.error = error })
      .finally(() => { asked.endedAt = now() })
    return asked
  }

  /** Lets everything happen that needs no time. */
  async function settle () {
    for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
  }

  async function pass (ms: number) {
    let over = false
    world.at(now() + ms, () => { over = true })
    await world.run(() => over, Infinity)
    await settle()
  }
  return { ...dispatching, faulted, replicas, world, now, timers, givenCall, ask, settle, pass }
}

export interface Asked { call: Call, lease: Lease | null, error: unknown, endedAt: number | null }

export const answered: Ended = { kind: 'answered', firstByteMs: 100, form: 'stream' }

/** Of a server that was not heard from. */
export const left: Ended = { kind: 'cancelled', form: 'stream', heardAt: -Infinity }

export function whereOf ({ lease }: Asked): string | undefined {
  return lease?.target.replica.upstream.name
}
