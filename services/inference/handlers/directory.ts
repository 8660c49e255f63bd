/** The model servers there are, and which of them can take a call now. */
import type { Replica, Target } from '../domain/replica.ts'
import {
  absence, modelEntry, readyFor, servingTable, whyNot, type ModelEntry, type ServingTable
} from '../domain/serving.ts'
import { keepMembers, type Member, type MemberParts } from './keep-members.ts'

export interface Directory {
  /** Those of the environment first, then by name. Objects stay the same while the upstream is there. */
  replicas: () => readonly Replica[]
  /**
   * Those that can serve the model now, with the name each knows it by. Where there is none, servers
   * that might be back are asked once more, within the time of a probe.
   *
   * @param needs  capabilities without which an upstream cannot answer
   * @throws Problem model-not-found naming the known; upstream-unavailable while one that might serve
   *         it is away; capability-missing
   */
  targets: (model: string, needs: readonly string[]) => Promise<readonly Target[]>
  /** As the upstreams list them, each one's aliases after its models; waits for first probes. */
  models: () => Promise<ModelEntry[]>
  /** A call failed there: it is probed soon, and the detail shown. */
  faulted: (name: string, detail: string) => void
  list: () => Promise<readonly Member[]>
  find: (name: string) => Promise<Member | undefined>
  /** Reads the store again, so that a change just written counts here. */
  refresh: () => Promise<void>
  /** Begins to watch; otherwise the first question does. */
  begin: () => Promise<void>
  close: () => Promise<void>
}

export function openDirectory (parts: MemberParts): Directory {
  let replicas: readonly Replica[] = []
  let table: ServingTable | undefined
  const members = keepMembers(parts, () => {
    replicas = [...members.all().values()].map(({ watch }) => watch.replica)
    table = undefined
  })

  /** Made anew when something has changed, so that a call costs one look-up. */
  function tableNow (): ServingTable {
    table ??= servingTable(replicas)
    return table
  }

  /** Asks again whoever may have come back or taken on another model, until one has what is sought. */
  async function search (model: string, isFound: () => boolean): Promise<void> {
    await members.look()
    if (isFound()) return
    const candidates = tableNow().get(model)
    const away = candidates === undefined
      ? replicas
      : candidates.filter(candidate => whyNot(candidate) !== null).map(({ replica }) => replica)
    const asked = away.filter(({ upstream }) => upstream.draining !== true).map(async ({ upstream }) => {
      await members.all().get(upstream.name)?.watch.probe()
      if (!isFound()) throw new Error('Not there')
    })
    // Settled by the first that has it, however long others are silent.
    await Promise.any(asked).catch(() => {})
  }

  return {
    replicas: () => replicas,
    async targets (model, needs) {
      const ready = () => readyFor(tableNow().get(model) ?? [], needs)
      let targets = ready()
      if (targets.length === 0) {
        await members.begin()
        await search(model, () => ready().length > 0)
        targets = ready()
        if (targets.length === 0) throw absence({ model, needs }, replicas, tableNow())
      }
      for (const { replica } of targets) members.all().get(replica.upstream.name)?.watch.use()
      return targets
    },
    async models () {
      await members.begin()
      const fresh = [...members.all().values()].filter(({ watch }) => watch.replica.probe.state === 'unknown')
      await Promise.all(fresh.map(async ({ watch }) => { await watch.probe() }))
      return [...tableNow()].map(([id, candidates]) => modelEntry(id, candidates))
    },
    faulted (name, detail) { members.all().get(name)?.watch.fault(detail) },
    async list () {
      await members.begin()
      return [...members.all().values()]
    },
    async find (name) {
      await members.begin()
      return members.all().get(name)
    },
    refresh: members.refresh,
    begin: members.begin,
    close: members.close
  }
}
