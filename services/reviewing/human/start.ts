/** Puts human review together: its store, its routes, and the watch over leases. */
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { App } from '../../../shared/app/service.ts'
import type { Store } from '../../../shared/store/store.ts'
import type { Peers } from '../peers.ts'
import type { ReviewingStore } from '../store.ts'
import { candidateLists } from './candidates.ts'
import { builtIn } from './domain/built-in.ts'
import { leaseWatch } from './domain/lease-watch.ts'
import { listAgreements } from './handlers/list-agreements.ts'
import type { HumanParts } from './handlers/parts.ts'
import { inTurn } from './in-turn.ts'
import { pageRoutes } from './page-routes.ts'
import { questionnaireRoutes } from './questionnaire-routes.ts'
import { humanRoutes } from './routes.ts'
import { humanStore, type HumanStore } from './store.ts'

/** How late a lease may be seen to have been granted elsewhere, and so to have run out. */
const lookEveryMs = 10_000

interface Given {
  app: App
  documents: Store
  store: ReviewingStore
  peers: Peers
  log: Logger
  assertReviewing: HumanParts['assertReviewing']
}

/** @returns what begins after listen, and what ends it */
export async function startHumanReview ({ app, documents, store, peers, log, assertReviewing }: Given) {
  const now = () => performance.now()
  const human = await humanStore(documents, builtIn)
  const watch = leaseWatch(now)
  const candidates = candidateLists(human, now)
  const parts: HumanParts = { peers, human, store, watch, candidates, inTurn: inTurn(), assertReviewing }
  humanRoutes(app, parts)
  questionnaireRoutes(app, parts)
  await pageRoutes(app)
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    lookAtLeases({ human, watch }).catch((cause: unknown) => { log.info({ err: cause }, 'Leases of reviews could not be looked at') })
  }
  return {
    watch () {
      look()
      timer = setInterval(look, lookEveryMs)
      timer.unref()
    },
    close () { clearInterval(timer) },
    statesOf: human.statesOf,
    agreementsOf: async (reviewingId: string) => await listAgreements(human, reviewingId)
  }
}

/** Sees leases that other processes granted, so that they run out here too. */
async function lookAtLeases ({ human, watch }: { human: HumanStore, watch: HumanParts['watch'] }): Promise<void> {
  const held = await human.listHeld()
  for (const { _id, leases } of held) {
    for (const [raterId, lease] of Object.entries(leases)) watch.live(_id, raterId, lease)
  }
  watch.keepOnly(new Map(held.map(doc => [doc._id, doc])))
}
