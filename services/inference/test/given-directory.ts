/** A directory over a store of its own, for tests. */
import { join } from 'node:path'
import type { Test } from 'tap'
import { silentLog } from '../../../shared/app/log.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { parseUpstreams } from '../domain/upstream.ts'
import { engineRequests } from '../handlers/ask-engine.ts'
import { openDirectory } from '../handlers/directory.ts'
import type { MemberParts } from '../handlers/keep-members.ts'
import { upstreamStore, type UpstreamStore } from '../upstream-store.ts'

interface Given {
  /** UPSTREAMS. */
  setting?: string
  /** File of the store; a new one where absent. */
  file?: string
  /** Instead of the defaults, which are of a test's pace. */
  settings?: Partial<MemberParts['settings']>
  secret?: (name: string) => string | undefined
  /** Instead of reading the store. */
  all?: UpstreamStore['all']
}

const pace = { probeIntervalMs: 100, probeTimeoutMs: 400, scrapeIntervalMs: 50, refreshIntervalMs: 50 }

export async function givenDirectory (t: Pick<Test, 'teardown' | 'name'>, given: Given = {}) {
  const { setting = '', settings, secret = () => undefined } = given
  const file = given.file ?? join(temporaryFolder(t), 'inference.db')
  const store = await embeddedStore(file)
  const upstreams = { ...await upstreamStore(store), ...given.all && { all: given.all } }
  const requests = engineRequests(secret, 1_000)
  const directory = openDirectory({
    environment: parseUpstreams(setting),
    upstreams,
    requests,
    settings: { ...pace, ...settings },
    log: silentLog()
  })
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await directory.close()
    await requests.close()
    await store.close()
  }
  t.teardown(close)
  return { directory, upstreams, requests, secret, close }
}
