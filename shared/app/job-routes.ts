/** The routes every long work has: list, read (waiting if asked to), cancel, retry. */
import { Type, type TObject, type TProperties, type TString } from 'typebox'
import { pageOf, PageQuery } from '../contracts/page.ts'
import { writtenName, type JobReader, type JobsWanted, type LongWork } from '../tasks/job-reader.ts'
import type { App, ServiceName } from './service.ts'

export interface JobDocuments {
  service: ServiceName
  name: LongWork
  id: TString
  schema: TObject
  /** Of the id in the path; default the name with Id. */
  parameter?: string
  /** What the list can be narrowed down by, and how. */
  listed?: { query: TProperties, wanted: (query: any) => JobsWanted }
  /** What each route does, in plain words. */
  summaries: { list: string, get: string, cancel: string, retry: string }
}

export function jobRoutes (app: App, reader: JobReader<any, object>, documents: JobDocuments): void {
  const { service, name, id, schema, summaries, listed, parameter = `${name}Id` } = documents
  const tags = [service]
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const list = `/v1/${writtenName[name]}s`
  const path = `${list}/:${parameter}`
  const params = Type.Object({ [parameter]: id })
  const idIn = (given: unknown) => (given as Record<string, string>)[parameter] ?? ''

  app.get(list, {
    schema: {
      tags,
      operationId: `list${title}s`,
      summary: summaries.list,
      querystring: Type.Object({ ...PageQuery, ...listed?.query }),
      response: { 200: pageOf(schema) }
    }
  }, async ({ query }) => await reader.list({ ...query, ...listed?.wanted(query) }) as never)

  app.get(path, {
    schema: {
      tags,
      operationId: `get${title}`,
      summary: summaries.get,
      params,
      querystring: Type.Object({
        wait: Type.Integer({ minimum: 0, maximum: 60, default: 0, description: 'Seconds to wait for its end.' })
      }),
      response: { 200: schema }
    }
  }, async ({ params, query }) => await reader.get(idIn(params), query.wait) as never)

  app.post(`${path}/cancel`, {
    schema: { tags, operationId: `cancel${title}`, summary: summaries.cancel, params, response: { 200: schema } }
  }, async ({ params }) => await reader.cancel(idIn(params)) as never)

  app.post(`${path}/retry`, {
    schema: { tags, operationId: `retry${title}`, summary: summaries.retry, params, response: { 202: schema } }
  }, async ({ params }, reply) => await reply.code(202).send(await reader.retry(idIn(params)) as never))
}
