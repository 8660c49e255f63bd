/** Analyses as one call each, of runs or of tables in the request; nothing is stored. */
import { Type, type TSchema } from 'typebox'
import { callerSignal } from '../../shared/app/caller-signal.ts'
import type { App } from '../../shared/app/service.ts'
import { analyses, analysisNames, type AnalysisName } from './domain/analyses/analyses.ts'
import { AnalysisAnswer, type AnalysisBody } from './domain/analyses/analysis.ts'
import type { AnalysisForm } from './domain/analyses/written.ts'
import { analyse, type AnalysisParts } from './handlers/analyse.ts'
import { leaveLongBodies } from './long-bodies.ts'

const types: Record<AnalysisForm, string> = {
  json: 'application/json', csv: 'text/csv', md: 'text/markdown', tex: 'application/x-tex'
}
/** Ten times the largest table that anyone has sent. */
const tableBytesMax = 4 * 1024 * 1024

const FormQuery = Type.Object({
  form: Type.Enum(['json', 'csv', 'md', 'tex'], { default: 'json', description: 'tex: a LaTeX table with booktabs.' })
})

/** In a scope of its own, for its bodies stay bytes when they are long. */
export function analysisRoutes (app: App, parts: AnalysisParts): void {
  void app.register(async scope => {
    leaveLongBodies(scope)
    for (const kind of analysisNames) analysisRoute(scope as App, kind, parts)
  })
}

function analysisRoute (app: App, kind: AnalysisName, parts: AnalysisParts): void {
  const { summary, description, body } = analyses[kind]
  app.post(`/v1/analyses/${kind}` as '/v1/analyses/gaps', {
    bodyLimit: tableBytesMax,
    schema: {
      tags: ['scoring'], operationId: operationIdOf(kind), summary, description, body, querystring: FormQuery, response: { 200: answer() }
    }
  }, async ({ body, query: { form } }, reply) => {
    const asked = { kind, form, body: body as AnalysisBody | Buffer, signal: callerSignal(reply) }
    const found = await analyse(parts, asked)
    return await reply.type(`${types[form]}; charset=utf-8`).send(found as never)
  })
}

/** `content-modes` is `analyseContentModes`. */
function operationIdOf (kind: AnalysisName): string {
  return `analyse${kind.split('-').map(word => word[0]!.toUpperCase() + word.slice(1)).join('')}`
}

function answer (): TSchema {
  const content = Object.fromEntries(Object.values(types).map(type =>
    [type, { schema: type === types.json ? AnalysisAnswer : Type.String() }]))
  return { description: 'Rows, summary and notes; as a file, the rows', content } as unknown as TSchema
}
