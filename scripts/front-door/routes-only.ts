/** The routes of a service without its work: for the API documents, and for the front door. */
import type { TObject } from 'typebox'
import { silentLog } from '../../shared/app/log.ts'
import type { App, Service } from '../../shared/app/service.ts'
import { readConfigs } from '../../shared/config/config.ts'

/**
 * Registers routes as at a start, over parts that are never used.
 *
 * @param prepare  called with the scope of the service before its routes are registered
 */
export async function registerRoutes (
  app: App, { config, start }: Service<any>, prepare: (scope: App) => void = () => {}
): Promise<void> {
  const [settings] = readConfigs([config as TObject], {})
  await app.register(async scope => {
    prepare(scope as App)
    await start({ ...unused, app: scope as App, config: settings, log: silentLog() })
  })
}

/** Answers every call with a promise of itself: enough to register routes with. */
const anything: any = new Proxy(() => {}, {
  get: (_, name) => name === 'then' ? undefined : anything,
  apply: () => anything
})
const unused = {
  store: anything, blobs: anything, bus: anything, worker: anything, call: anything, metrics: anything
}
