/** Puts generation together. The only file here that knows every part. */
import { defineService } from '../../shared/app/service.ts'
import { parsingClient } from '../../shared/clients/parsing.ts'
import { Config } from './config.ts'
import { announceAgain, announceEnd } from './handlers/announce.ts'
import { makeItems, planGeneration } from './handlers/make-items.ts'
import type { GenerationSpec, PlaceInput } from './handlers/parts.ts'
import { routes } from './routes.ts'
import { generationStore } from './store.ts'
import { createMaker } from './thread/maker.ts'

/** An end that nobody acknowledged is told again after so long; a bus that lost it all costs no more. */
const announceAgainMs = 5_000

export const generation = defineService({
  name: 'generation',
  config: Config,
  summary: 'Turn papers into questions with evidence.',
  async start ({ app, bus, store: documents, worker, call, config, log }) {
    const store = await generationStore(documents)
    const parsing = parsingClient(call)
    const maker = createMaker({ timeoutMs: config.GENERATION_TIMEOUT_MS })
    const jobs = await worker.define<GenerationSpec, PlaceInput>({
      name: 'generation',
      concurrency: config.GENERATION_PLACES_AT_ONCE,
      plan: async job => await planGeneration({ parsing }, job),
      perform: async (task, job) => await makeItems({ parsing, store, maker }, task, job),
      finish: async ({ _id, spec }) => await announceEnd({ bus, store }, _id, spec.recipe)
    })
    routes(app, { jobs, store, parsing })

    let timer: NodeJS.Timeout | undefined
    const again = () => {
      announceAgain({ bus, store }).catch(err => { log.warn({ err }, 'finished generations could not be told of') })
    }
    return {
      consume: async () => {
        again()
        timer = setInterval(again, announceAgainMs).unref()
      },
      close: async () => {
        clearInterval(timer)
        await maker.close()
      }
    }
  }
})
