/** Paper: a file somebody uploaded, and how far its parsing is. */
import { Type, type Static } from 'typebox'
import { DocumentHash, PaperId } from './ids.ts'
import { jobResource } from './job.ts'

export const paperFormats = ['pdf', 'jats', 'tei', 'html', 'latex', 'markdown', 'text'] as const
export type PaperFormat = typeof paperFormats[number]

export const Paper = jobResource('Paper', {
  id: PaperId,
  fileName: Type.String({ description: 'As uploaded, for display only.' }),
  bytes: Type.Integer({ minimum: 0 }),
  format: Type.Enum([...paperFormats], { description: 'Found in the bytes, whatever the name says; markdown and text when declared.' }),
  title: Type.Union([Type.String(), Type.Null()]),
  documentHash: Type.Union([DocumentHash, Type.Null()], { description: 'Null until parsed.' }),
  warnings: Type.Array(Type.Object({
    code: Type.String(), detail: Type.String(), page: Type.Optional(Type.Integer())
  }, { additionalProperties: false }))
})
/** One of the documents made of a paper: by another engine, option, or version of the parser. */
export const DocumentVersion = Type.Object({
  documentHash: DocumentHash,
  parser: Type.Optional(Type.Object({
    engine: Type.String(), version: Type.String()
  }, { additionalProperties: false })),
  pages: Type.Integer({ minimum: 0 }),
  figures: Type.Integer({ minimum: 0 }),
  current: Type.Boolean({ description: 'Whether it is what …/document answers without a documentHash.' })
}, { $id: 'DocumentVersion', additionalProperties: false })
export type DocumentVersion = Static<typeof DocumentVersion>

export type Paper = Static<typeof Paper>
