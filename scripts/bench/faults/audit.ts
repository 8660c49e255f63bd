/** What must be true of a cluster's stores and answers, whatever happened to it. */
import { join } from 'node:path'
import { startServices } from '../../../shared/app/start.ts'
import { silentLog } from '../../../shared/app/log.ts'
import { serviceNames } from '../../../shared/app/service.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import { openLedger } from '../../../shared/tasks/records.ts'
import { api } from '../../exam/api.ts'
import { suite } from '../../suite.ts'
import { walkOver, type Ended } from './load.ts'

const page = 1_000
const walksAtOnce = 3

interface AuditOptions {
  /** Where the cluster's services had their stores. */
  dir: string
  /** A fresh folder for the suite that makes the reference. */
  scratch: string
  upstreams: string
  model: string
}

/** Everything that is wrong, each in a line; empty when nothing is. */
export async function audit (ended: readonly Ended[], options: AuditOptions): Promise<string[]> {
  const wrong = await compared(ended, options)
  for (const service of serviceNames) {
    const store = await embeddedStore(join(options.dir, `${service}.db`))
    const { tasks, claims } = await openLedger(store)
    for (let after = ''; ;) {
      const some = await tasks.findMany({ _id: { $gt: after } }, { limit: page })
      for (const { _id, state, attempt } of some) {
        after = _id
        if (state !== 'done') wrong.push(`${service}: task ${_id} is ${state}`)
        const ends = await claims.findMany({ _id: { $gte: `${_id}#`, $lt: `${_id}$` } }, { limit: page })
        const done = ends.filter(claim => claim.state === 'done').length
        if (done !== 1) wrong.push(`${service}: task ${_id} was done ${done} times in ${attempt} attempts`)
        if (ends.some(claim => claim.state === 'open')) wrong.push(`${service}: task ${_id} has an open claim`)
      }
      if (some.length < page) break
    }
    await store.close()
  }
  return wrong
}

/** The same papers through one process with embedded stores and no faults: the same bytes. */
async function compared (
  ended: readonly Ended[], { scratch, upstreams, model }: AuditOptions
): Promise<string[]> {
  const env = { PORT: '0', DATA_DIR: scratch, UPSTREAMS: upstreams }
  const alone = await startServices(suite, env, { log: silentLog() })
  const wrong: string[] = []
  try {
    const left = [...ended]
    const walkAll = async (): Promise<void> => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) {
        const { items, report } = await walkOver(api(alone.url), one.file, model)
        if (items !== one.items) wrong.push(`${one.file}: items.jsonl differs from that of one process`)
        if (report !== one.report) wrong.push(`${one.file}: report.json differs from that of one process`)
      }
    }
    await Promise.all(Array.from({ length: walksAtOnce }, walkAll))
  } finally {
    await alone.close()
  }
  return wrong
}
