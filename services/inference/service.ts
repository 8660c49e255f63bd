/** Puts inference together: upstreams as data, calls over them, and the routes in front. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defineService, type App, type Parts } from '../../shared/app/service.ts'
import { loadPrompt } from '../../shared/prompts/prompt.ts'
import { systemClock } from '../../shared/tasks/clock.ts'
import { Config } from './config.ts'
import { limitsFrom } from './domain/admission-limits.ts'
import { blockChars } from './domain/prefix.ts'
import { retryBudget } from './domain/retry-budget.ts'
import { parseUpstreams } from './domain/upstream.ts'
import { admitCall, type AdmitParts } from './handlers/admit-call.ts'
import { engineRequests } from './handlers/ask-engine.ts'
import { streamParts } from './handlers/answer-stream.ts'
import { openBudgets } from './handlers/budgets.ts'
import { openCalls, type Calls } from './handlers/calls.ts'
import { coalescer } from './handlers/coalesce.ts'
import { completer, type CallContext } from './handlers/complete.ts'
import { completionRecord } from './handlers/completion-record.ts'
import { openDirectory } from './handlers/directory.ts'
import { dispatcher } from './handlers/dispatcher.ts'
import { openExchanges } from './handlers/exchange.ts'
import { knownSchemas } from './handlers/known-schemas.ts'
import { modelCapacity } from './handlers/model-capacity.ts'
import { observeCalls } from './handlers/observe-calls.ts'
import { observeRates } from './handlers/observe-rates.ts'
import { usageLedger } from './handlers/usage-ledger.ts'
import { budgetRoutes } from './routes/budget-routes.ts'
import { estimateRoutes } from './routes/estimate-routes.ts'
import { openAiRoutes } from './routes/openai-routes.ts'
import { structuredRoutes } from './routes/structured-routes.ts'
import { upstreamRoutes } from './routes/upstream-routes.ts'
import { usageRoutes } from './routes/usage-routes.ts'
import { whenCallerLeaves } from './routes/when-caller-leaves.ts'
import { upstreamStore } from './upstream-store.ts'

const mebibyte = 1024 * 1024

interface Rehearsal {
  /** Of the caller's headers those that tell a fake upstream what to do; a real one gets none. */
  passHeaders?: readonly string[]
  /** Spreads retries and probes; 0 to below 1. */
  random?: () => number
}

export function inferenceWith ({ passHeaders = [], random = Math.random }: Rehearsal) {
  return defineService({
    name: 'inference',
    config: Config,
    summary: 'The proxy in front of model servers',
    async start (parts) {
      const { app, config } = parts
      const opened = await open(parts, random)
      const { calls, directory, upstreams, usage, observer, gauges } = opened
      const bodyBytesMax = config.INFERENCE_BODY_MB * mebibyte
      const admission: AdmitParts = {
        limits: limitsFrom(config), totalTimeoutMs: config.INFERENCE_TOTAL_TIMEOUT_MS, passHeaders
      }
      const repairPrompt = await loadPrompt(new URL('prompts/repair-reply.v1.md', import.meta.url))
      // Scopes of their own, before the routes whose errors have OpenAI's shape.
      await app.register(async scope => {
        upstreamRoutes(scope as App, {
          directory,
          upstreams,
          secret,
          requests: opened.probes,
          live: name => {
            const found = gauges().upstreams.find(each => each.name === name)
            if (found === undefined) return null
            const { slots: limit, breaker, suspected } = found
            return { limit, breaker, suspected }
          }
        })
        usageRoutes(scope as App, { usage })
        budgetRoutes(scope as App, { budgets: opened.budgets })
        estimateRoutes(scope as App, opened.estimates)
        structuredRoutes<CallContext>(scope as App, {
          bodyBytesMax,
          repairPrompt,
          schemaOf: knownSchemas(),
          complete: completer(calls),
          count: (name, n) => { observer.laddered(Array.from({ length: n }, () => name)) },
          contextOf: contextOf(admission)
        })
      })
      await app.register(async scope => {
        openAiRoutes(scope as App, {
          ...admission, calls, directory, bodyBytesMax, idleMs: config.INFERENCE_IDLE_TIMEOUT_MS
        })
      })
      return { consume: directory.begin, close: opened.close }
    }
  })
}

export const inference = inferenceWith({})

const secret = (name: string): string | undefined => process.env[name]

async function open ({ config, store, blobs, log, metrics }: Parts<typeof Config>, random: () => number) {
  const upstreams = await upstreamStore(store)
  const probes = engineRequests(secret, config.INFERENCE_CONNECT_TIMEOUT_MS)
  const directory = openDirectory({
    environment: parseUpstreams(config.UPSTREAMS),
    upstreams,
    requests: probes,
    settings: watchSettings(config),
    log
  })
  const places = dispatcher({
    directory,
    clock: systemClock,
    random,
    limits: {
      waitingMax: config.INFERENCE_QUEUE_MAX,
      waitingBytesMax: config.INFERENCE_QUEUE_MB * mebibyte,
      blockTokens: blockChars / 4
    }
  })
  const exchanges = openExchanges(config.INFERENCE_CONNECT_TIMEOUT_MS)
  const observer = await observeCalls({ config, metrics, log, gauges: places.observe })
  const onFault = (err: unknown): void => { log.warn({ err }, 'Usage or budgets could not be written or read; it will be tried again') }
  const usage = await usageLedger(store, { onFault })
  const budgets = await openBudgets(store, onFault)
  const rates = observeRates()
  const record = await completionRecord({ store, blobs, cacheBytesMax: config.INFERENCE_CACHE_MB * mebibyte })
  const calls: Calls = openCalls({
    dispatcher: places,
    directory,
    retryBudget: retryBudget(),
    random,
    queueTimeoutMs: config.INFERENCE_QUEUE_TIMEOUT_MS,
    exchanges,
    secret,
    firstByteMs: config.INFERENCE_FIRST_BYTE_TIMEOUT_MS,
    idleMs: config.INFERENCE_IDLE_TIMEOUT_MS,
    ledger: { record, flights: coalescer() },
    streams: streamParts(record),
    budgets,
    observer,
    note (ended) {
      usage.note(ended)
      rates.note(ended)
    }
  })
  const capacity = modelCapacity({ directory, requests: probes, gauges: places.observe })
  return {
    calls,
    directory,
    upstreams,
    probes,
    usage,
    budgets,
    estimates: { rates, budgets, ...capacity },
    observer,
    gauges: places.observe,
    async close () {
      places.close()
      await directory.close()
      await Promise.all([probes.close(), exchanges.close()])
      await Promise.all([usage.close(), budgets.close()])
      await observer.close()
    }
  }
}

/** Labels, modes and limits as for the OpenAI form; the body is what the ladder makes of the caller's. */
function contextOf (admission: AdmitParts) {
  return (request: FastifyRequest, reply: FastifyReply): CallContext => {
    const signal = whenCallerLeaves(reply)
    const { id, headers } = request
    return {
      headers,
      callOf: body => admitCall(admission, '/v1/chat/completions', { request: { id, headers, body }, signal })
    }
  }
}

function watchSettings (config: Parts<typeof Config>['config']) {
  return {
    probeIntervalMs: config.INFERENCE_PROBE_INTERVAL_MS,
    probeTimeoutMs: config.INFERENCE_PROBE_TIMEOUT_MS,
    scrapeIntervalMs: config.INFERENCE_SCRAPE_INTERVAL_MS,
    refreshIntervalMs: config.INFERENCE_UPSTREAMS_REFRESH_MS
  }
}
