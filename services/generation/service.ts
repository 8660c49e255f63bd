/** Puts generation together. The only file here that knows every part. */
import { defineService } from '../../shared/app/service.ts'
import { endBudget, takingTurnsInBudgets } from '../../shared/clients/calls-in-budget.ts'
import { inferenceClient } from '../../shared/clients/inference.ts'
import { parsingClient } from '../../shared/clients/parsing.ts'
import { createShrinker } from '../../shared/images/shrinker.ts'
import { Config } from './config.ts'
import { startCurations } from './curations/start.ts'
import { announceAgain, announceEnd } from './handlers/announce.ts'
import { figureImages } from './handlers/figure-images.ts'
import { finishGeneration } from './handlers/finish-generation.ts'
import { heldBackPapers, holdsBack } from './handlers/held-back.ts'
import { makeItems, planGeneration } from './handlers/make-items.ts'
import type { GenerationSpec, PlaceInput } from './handlers/parts.ts'
import { writeItems } from './handlers/write-items.ts'
import { startImports } from './imports/imports.ts'
import { loadPrompts } from './prompts.ts'
import { routes } from './routes.ts'
import { generationStore } from './store.ts'
import { atMost } from './thread/at-most.ts'
import { createThread } from './thread/thread.ts'

/** An end that nobody acknowledged is told again after so long; a bus that lost it all costs no more. */
const announceAgainMs = 5_000

export const generation = defineService({
  name: 'generation',
  config: Config,
  summary: 'Turn papers into questions with evidence.',
  async start ({ app, bus, store: documents, blobs, worker, call, config, log }) {
    const store = await generationStore(documents)
    const parsing = parsingClient(call)
    const inference = inferenceClient(call)
    const prompts = await loadPrompts()
    const shrinker = createShrinker()
    const thread = createThread({ timeoutMs: config.GENERATION_TIMEOUT_MS })
    const inTurn = atMost(config.GENERATION_PLACES_AT_ONCE)
    const writing = {
      store,
      inference,
      prompts,
      parsing,
      // Of its own: places without a model take long.
      thread: createThread({ timeoutMs: config.GENERATION_TIMEOUT_MS }),
      budgets: takingTurnsInBudgets(),
      images: figureImages(parsing, shrinker),
      timeoutMs: config.GENERATION_COMPLETION_TIMEOUT_MS
    }
    const jobs = await worker.define<GenerationSpec, PlaceInput>({
      name: 'generation',
      concurrency: config.GENERATION_CALLS_AT_ONCE,
      plan: async job => await planGeneration({ parsing, inference, store }, job),
      async perform (task, job, signal) {
        if (job.spec.recipe.strategy === 'model') await writeItems(writing, { task, job }, signal)
        else await inTurn(async () => await makeItems({ parsing, store, thread }, task, job))
      },
      holdsBack,
      async finish (job, signal) {
        const ofStrategy = job.spec.recipe.strategy === 'model' ? writing.thread : thread
        const heldBack = await heldBackPapers(jobs, job)
        await finishGeneration({ store, parsing, thread: ofStrategy, heldBack }, job, signal)
        await endBudget({ jobs, inference }, job)
        await announceEnd({ bus, store }, job._id, job.spec.recipe)
      }
    })
    const banks = await startImports({ app, documents, items: store, blobs, worker, parsing, config })
    const { GENERATION_CALLS_AT_ONCE: callsAtOnce, GENERATION_COMPLETION_TIMEOUT_MS: timeoutMs } = config
    const asked = { inference, callsAtOnce, timeoutMs }
    const curations = await startCurations({ app, documents, worker, importJobs: banks.jobs, ...asked })
    routes(app, { curations, jobs, store, parsing, inference, prompts, thread: writing.thread })

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
        await Promise.all([thread.close(), writing.thread.close(), shrinker.close(), banks.close()])
      }
    }
  }
})
