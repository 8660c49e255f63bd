/** Metrics and statistics of what is in the request: nothing is stored, same body, same answer. */
import type { FastifyReply } from 'fastify'
import { callerSignal } from '../../shared/app/caller-signal.ts'
import type { App } from '../../shared/app/service.ts'
import {
  BleuAnswer, BleuRequest, ChrfAnswer, ChrfRequest, ExtractionAnswer, ExtractionRequest, RougeAnswer,
  RougeRequest, SimilarityAnswer, SimilarityRequest
} from './domain/metrics/requests.ts'
import type { StatelessName } from './domain/stateless.ts'
import { statisticNames, statistics } from './domain/statistics/statistics.ts'
import { measure, metricBytesMax } from './handlers/measure.ts'
import { leaveLongBodies } from './long-bodies.ts'
import type { Threads } from './thread/threads.ts'

const tags = ['scoring']

const operations = [{
  name: 'rouge',
  body: RougeRequest,
  answer: RougeAnswer,
  operationId: 'computeRouge',
  summary: 'ROUGE-N, -L and -Lsum of pairs, with the numbers of google-research\'s rouge_score'
}, {
  name: 'bleu',
  body: BleuRequest,
  answer: BleuAnswer,
  operationId: 'computeBleu',
  summary: 'BLEU of sentences or of a corpus, with the numbers of sacreBLEU'
}, {
  name: 'chrf',
  body: ChrfRequest,
  answer: ChrfAnswer,
  operationId: 'computeChrf',
  summary: 'chrF and chrF++ of sentences or of a corpus, with the numbers of sacreBLEU'
}, {
  name: 'similarity',
  body: SimilarityRequest,
  answer: SimilarityAnswer,
  operationId: 'computeSimilarity',
  summary: 'How alike two texts are, with the ratio of CPython\'s difflib.SequenceMatcher'
}, {
  name: 'extraction',
  body: ExtractionRequest,
  answer: ExtractionAnswer,
  operationId: 'extractAnswers',
  summary: 'What replies answer, read strictly, leniently or as K-MetBench does, with rule and place'
}] as const

/**
 * Adds `POST /metrics/…` and `POST /statistics/…` below the prefix `app` has; at most 10,000 pairs or
 * 32 MiB a request.
 */
export function statelessRoutes (app: App, threads: Threads): void {
  // A scope of its own, for its bodies stay bytes when they are long.
  void app.register(async scope => {
    leaveLongBodies(scope)
    const add = (path: string, name: StatelessName, schema: object) => scope.post(path, {
      bodyLimit: metricBytesMax, schema: { tags, ...schema }
    }, async (request, reply) => await answerMetric(threads, name, { body: request.body, reply }))
    for (const { name, body, answer, operationId, summary } of operations) {
      add(`/metrics/${name}`, name, { operationId, summary, body, response: { 200: answer } })
    }
    for (const name of statisticNames) {
      const { summary, body, answer } = statistics[name]
      const operationId = operationIdOf(name)
      add(`/statistics/${name}`, name, { operationId, summary, body, response: { 200: answer } })
    }
  })
}

/** `kendall-tau-b` is `computeKendallTauB`. */
function operationIdOf (name: string): string {
  return `compute${name.split('-').map(word => word[0]!.toUpperCase() + word.slice(1)).join('')}`
}

interface Exchange { body: unknown, reply: FastifyReply }

async function answerMetric (threads: Threads, name: StatelessName, { body, reply }: Exchange) {
  const answer = await measure(threads, name, { body, signal: callerSignal(reply) })
  return await reply.type('application/json').send(answer)
}
