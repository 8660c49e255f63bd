/** How a paper comes in: as a file in a form, or by its address. */
import type {} from '@fastify/multipart'
import { Type } from 'typebox'
import type { App } from '../../shared/app/service.ts'
import { compileValidator } from '../../shared/app/validators.ts'
import { domains } from '../../shared/contracts/domain.ts'
import { Paper } from '../../shared/contracts/paper.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { fetchPaper, PaperAddress } from './handlers/fetch-paper.ts'
import type { Parts } from './handlers/parts.ts'
import { checkWish, uploadPaper } from './handlers/upload-paper.ts'

const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
/** Multipart needs some bytes around the file. */
const formBytes = 16_384

export function uploadRoute (app: App, parts: Parts): void {
  app.post('/v1/papers', {
    // A form's body is a stream and an address is checked where it is read: their schemas are for the
    // documents and for Swagger UI's file button.
    validatorCompiler: route => route.httpPart === 'body' ? () => true : compileValidator(route),
    schema: {
      tags: ['parsing'],
      operationId: 'uploadPaper',
      summary: 'Upload a paper (PDF, JATS, TEI, LaTeXML HTML, LaTeX, Markdown, text), or name its address, to have it parsed',
      description: 'As a form with the file, or as JSON with its url, which is then fetched within the request: 30 s, 5 redirects, public hosts on ports 80 and 443. The bytes decide the format; Markdown and plain text are read when declared, by the part\'s Content-Type or by ?format=. The same bytes are the same paper, however they come: 202 the first time, 200 after that. Follow Location, or GET it with ?wait=60.',
      querystring: Type.Object({
        format: Type.Optional(Type.Enum(['markdown', 'text'])),
        domain: Type.Optional(Type.Enum([...domains], { description: 'What the paper is of; guessed from its words when left out. The same paper with another domain gets another document.' })),
        engine: Type.Optional(Type.String({ maxLength: 40, description: 'own, or an external engine of PARSER_ENGINES that is asked as well: grobid, docling, mathpix. Another engine makes another document of the same paper.' })),
        ocr: Type.Boolean({ default: false, description: 'Recognise the text of a PDF that has none; takes seconds a page.' })
      }),
      body: {
        content: {
          'multipart/form-data': { schema: Type.Object({ file }, { required: ['file'] }) },
          'application/json': { schema: PaperAddress }
        }
      },
      response: { 200: Paper, 202: Paper }
    }
  }, async (request, reply) => {
    checkWish(parts, request.query)
    const bytes = Number(request.headers['content-length'] ?? 0)
    const isForm = request.isMultipart()
    // Without a type nobody has parsed the body.
    if (!isForm && request.headers['content-type'] === undefined) {
      throw new Problem('unsupported-media-type', 'Send the paper as multipart/form-data, in a part named "file", or its address as JSON: {"url": "https://…"}.')
    }
    if (isForm && bytes > parts.uploadBytesMax + formBytes) {
      throw new Problem('body-too-large', `A paper may have ${parts.uploadBytesMax / 2 ** 20} MiB; reduce its images and upload it again.`)
    }
    const limits = { fileSize: parts.uploadBytesMax + 1, files: 1, fields: 4, parts: 5 }
    const { created, paper } = isForm
      ? await uploadPaper(parts, request.parts({ limits }), request.query)
      : await fetchPaper(parts, request.body, request.query)
    return await reply.code(created ? 202 : 200)
      .header('location', `/v1/papers/${paper.id}`).send(paper)
  })
}
