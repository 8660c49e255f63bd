/** What others may ask of parsing. A route is a schema and one call. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { jobRoutes } from '../../shared/app/job-routes.ts'
import type { App } from '../../shared/app/service.ts'
import { Document } from '../../shared/contracts/document.ts'
import { pageOf, PageQuery } from '../../shared/contracts/page.ts'
import { DocumentHash, PaperId } from '../../shared/contracts/ids.ts'
import { DocumentVersion, Paper, type PaperFormat } from '../../shared/contracts/paper.ts'
import { contentModes, contentOf } from '../../shared/text/content.ts'
import { attachmentHeader } from '../../shared/text/file-name.ts'
import { markdownOf } from '../../shared/text/markdown.ts'
import { deletePaper } from './handlers/delete-paper.ts'
import { getDocument, getDocumentJson, getVersion } from './handlers/get-document.ts'
import { getImage, getImageId, getPageImage, getSource } from './handlers/get-images.ts'
import { listDocuments } from './handlers/list-documents.ts'
import { paperReader } from './handlers/get-paper.ts'
import type { Parts } from './handlers/parts.ts'
import { sampleRoute } from './sample-route.ts'
import { uploadRoute } from './upload-route.ts'

const tags = ['parsing']
const OfPaper = Type.Object({ paperId: PaperId })
const Version = { documentHash: Type.Optional(DocumentHash) }
const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** What never changes may be kept for good, by the one who asked. */
const forGood = 'private, max-age=31536000, immutable'
/** What `…/source` is sent as; an archive of LaTeX may be of any kind. */
const mediaTypes: Record<PaperFormat, string> = {
  pdf: 'application/pdf',
  jats: 'application/xml',
  tei: 'application/xml',
  html: 'text/html',
  latex: 'application/octet-stream',
  markdown: 'text/markdown',
  text: 'text/plain'
}
export function routes (app: App, parts: Parts): void {
  uploadRoute(app, parts)
  paperRoutes(app, parts)
  documentRoutes(app, parts)
  contentRoute(app, parts)
  imageRoutes(app, parts)
  sampleRoute(app, parts)
}

function paperRoutes (app: App, parts: Parts): void {
  jobRoutes(app, paperReader(parts), {
    service: 'parsing',
    name: 'paper',
    id: PaperId,
    schema: Paper,
    summaries: {
      list: 'All papers, a page at a time',
      get: 'One paper and how far its parsing is',
      cancel: 'Stop the parsing of a paper',
      retry: 'Parse a failed paper again'
    }
  })

  app.delete('/v1/papers/:paperId', {
    schema: {
      tags,
      operationId: 'deletePaper',
      summary: 'Delete a paper with everything made of it here',
      description: 'It answers 410 from then on. Uploading the same file again brings it back.',
      params: OfPaper,
      response: { 204: Type.Null({ description: 'Deleted' }) }
    }
  }, async ({ params }, reply) => {
    await deletePaper(parts, params.paperId)
    return await reply.code(204).send(null)
  })
}

function documentRoutes (app: App, parts: Parts): void {
  app.get('/v1/papers/:paperId/documents', {
    schema: {
      tags,
      operationId: 'listDocuments',
      summary: 'All documents made of a paper: by other engines, options and versions of the parser',
      description: 'In ascending documentHash. None ever changes.',
      params: OfPaper,
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(DocumentVersion) }
    }
  }, async ({ params, query }) => await listDocuments(parts, params.paperId, query))

  app.get('/v1/papers/:paperId/document', {
    schema: {
      tags,
      operationId: 'getDocument',
      summary: 'The structured document: sections, paragraphs, figures, highlights',
      description: 'For a paper that could not be parsed, the problem. Every version is kept and found by its documentHash.',
      params: OfPaper,
      querystring: Type.Object(Version),
      response: { 200: Document }
    }
  }, async (request, reply) => {
    const version = await getVersion(parts, request.params.paperId, request.query.documentHash)
    if (isKnown(version._id, request, reply)) return await notModified(reply)
    return await reply.type('application/json').send(await getDocumentJson(parts, version) as never)
  })

  app.get('/v1/papers/:paperId/document.md', {
    schema: {
      tags,
      operationId: 'getDocumentMarkdown',
      summary: 'The document as Markdown, for reading',
      params: OfPaper,
      querystring: Type.Object(Version),
      response: { 200: content('text/markdown', Type.String()) }
    }
  }, async ({ params, query }, reply) => await reply.type('text/markdown; charset=utf-8')
    .send(markdownOf(await getDocument(parts, params.paperId, query.documentHash)) as never))
}

function contentRoute (app: App, parts: Parts): void {
  app.get('/v1/papers/:paperId/content', {
    schema: {
      tags,
      operationId: 'getContent',
      summary: 'The text a model is given of a paper, by content mode and budget',
      description: 'full: the whole paper in order. sections: the text of a section, or on a figure. semantic: abstract, highlights, then as sections. retrieved: the passages most like the query. oracle: the parts named, and nothing else. none: nothing. Figures are referenced by id.',
      params: OfPaper,
      querystring: Type.Object({
        ...Version,
        mode: Type.Enum([...contentModes], { default: 'semantic' }),
        maxTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'A token is counted as four bytes of UTF-8; no limit when left out.' })),
        sectionId: Type.Optional(Type.String({ maxLength: 200, description: 'For sections and semantic: only this section, with its subsections.' })),
        figureId: Type.Optional(Type.String({ maxLength: 200, description: 'For sections and semantic, instead of a section: the caption, the paragraphs that mention the figure, then the rest of its section.' })),
        query: Type.Optional(Type.String({ maxLength: 4_000, description: 'For retrieved: what the passages should answer.' })),
        paragraphIds: Type.Optional(Type.String({ minLength: 1, maxLength: 8_000, examples: ['s2p1,s2p4'], description: 'For oracle: ids of paragraphs (also "abstract", figures, tables, equations), separated by commas.' }))
      }),
      response: { 200: Content }
    }
  }, async ({ params, query: { documentHash, paragraphIds, ...options } }) => {
    const document = await getDocument(parts, params.paperId, documentHash)
    return { documentHash: document.documentHash, ...contentOf(document, { ...options, paragraphIds: paragraphIds?.split(',') }) }
  })
}

function imageRoutes (app: App, parts: Parts): void {
  app.get('/v1/papers/:paperId/figures/:figureId/image', {
    schema: {
      tags,
      operationId: 'getFigureImage',
      summary: 'A figure, cropped from its page (PNG)',
      params: Type.Object({ paperId: PaperId, figureId: Type.String({ minLength: 1, maxLength: 200, examples: ['f1'] }) }),
      querystring: Type.Object(Version),
      response: { 200: content('image/png', file) }
    }
  }, async (request, reply) => {
    const { documentHash } = request.query
    const imageId = await getImageId(parts, { ...request.params, documentHash })
    // Only a named version never gets another image.
    void reply.header('cache-control', documentHash === undefined ? 'private, no-cache' : forGood)
    if (isKnown(imageId, request, reply)) return await notModified(reply)
    return await reply.type('image/png').send(await getImage(parts, imageId) as never)
  })

  app.get('/v1/papers/:paperId/pages/:page/image', {
    schema: {
      tags,
      operationId: 'getPageImage',
      summary: 'A page as it is displayed (PNG)',
      params: Type.Object({
        paperId: PaperId, page: Type.Integer({ minimum: 1, maximum: 100_000, examples: [1] })
      }),
      querystring: Type.Object({
        dpi: Type.Integer({ minimum: 36, maximum: 200, default: 100 }),
        overlay: Type.Boolean({ default: false, description: 'Draws what the document has on the page: headings red, paragraphs blue, abstract violet, captions orange, figures green, tables teal, equations pink, footnotes grey; numbers and lines are the reading order.' }),
        ...Version
      }),
      response: { 200: content('image/png', file) }
    }
  }, async ({ params, query }, reply) => {
    const image = await getPageImage(parts, params.paperId, { page: params.page, ...query })
    // What is drawn changes with the newest document.
    const keep = query.overlay && query.documentHash === undefined ? 'private, no-cache' : 'private, max-age=3600'
    return await reply.type('image/png').header('cache-control', keep)
      .send(Buffer.from(image) as never)
  })

  app.get('/v1/papers/:paperId/source', {
    schema: {
      tags,
      operationId: 'getSource',
      summary: 'The file as it was uploaded',
      description: 'Always as an attachment: whatever it holds, a browser saves it and does not run it.',
      params: OfPaper,
      response: { 200: { description: 'As uploaded', content: Object.fromEntries(Object.values(mediaTypes).map(type => [type, { schema: file }])) } }
    }
  }, async ({ params }, reply) => {
    const { fileName, format, source, bytes } = await getSource(parts, params.paperId)
    return await reply.type(mediaTypes[format]).header('content-length', bytes)
      .header('x-content-type-options', 'nosniff').header('content-security-policy', 'sandbox')
      .header('cache-control', forGood).header('content-disposition', attachmentHeader(fileName)).send(source as never)
  })
}

const Content = Type.Object({
  documentHash: DocumentHash,
  text: Type.String(),
  parts: Type.Array(Type.Object({
    kind: Type.String(), id: Type.String(), text: Type.String(), cut: Type.Boolean()
  }, { additionalProperties: false })),
  tokens: Type.Integer({ minimum: 0 }),
  leftOut: Type.Array(Type.String(), { description: 'What the budget left out; empty when nothing was.' }),
  figureIds: Type.Array(Type.String(), { description: 'Figures whose caption is given, or that a paragraph given mentions.' })
}, { $id: 'Content', additionalProperties: false })

/** Names the answer by what it is made of; true when the caller says it has that already. */
function isKnown (id: string, request: FastifyRequest<any>, reply: FastifyReply<any>): boolean {
  const etag = `"${id}"`
  void reply.header('etag', etag)
  return request.headers['if-none-match'] === etag
}

async function notModified (reply: FastifyReply<any>): Promise<never> {
  return await reply.code(304).send() as never
}

/** An answer that is not JSON, for the API documents. */
function content (type: string, schema: TSchema) {
  return { description: 'As asked for', content: { [type]: { schema } } }
}
