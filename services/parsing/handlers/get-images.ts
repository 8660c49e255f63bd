import type { Readable } from 'node:stream'
import { Problem } from '../../../shared/errors/problem.ts'
import { marksOf } from '../domain/marks.ts'
import { getDocument, getVersion } from './get-document.ts'
import { paperReader } from './get-paper.ts'
import type { PaperSpec } from '../store.ts'
import type { Parts } from './parts.ts'

export interface FigureRequest { paperId: string, figureId: string, documentHash?: string | undefined }

/** @throws Problem figure-not-found, and why there is no document */
export async function getImageId (
  parts: Parts, { paperId, figureId, documentHash }: FigureRequest
): Promise<string> {
  const { figures } = await getVersion(parts, paperId, documentHash)
  const figure = figures.find(figure => figure.figureId === figureId)
  if (figure === undefined) throw new Problem('figure-not-found', `This document of paper ${paperId} has no such figure; its figures are listed in …/document.`)
  if (figure.imageId === null) throw new Problem('figure-not-found', `The source of paper ${paperId} has the caption of this figure, but no picture. A PDF of the paper, or an archive with its images, would have.`)
  return figure.imageId
}

export async function getImage ({ blobs }: Parts, imageId: string): Promise<Readable> {
  const image = await blobs.stream(imageId)
  if (image === undefined) throw new Error(`Image ${imageId} is not among the blobs`)
  return image
}

export interface PageRequest {
  page: number
  dpi: number
  overlay?: boolean
  documentHash?: string | undefined
}

/**
 * Rendered when asked for; also for papers that could not be parsed, as far as the engine opens them.
 * With an overlay: what the document has on it, drawn onto it.
 */
export async function getPageImage (
  parts: Parts, paperId: string, { page, dpi, documentHash, overlay = false }: PageRequest
): Promise<Uint8Array> {
  const { spec } = await paperReader(parts).job(paperId)
  if (spec.format !== 'pdf') throw new Problem('page-not-found', `Paper ${paperId} was uploaded as ${spec.format}, which has no pages to show; …/document has its text, …/figures its pictures.`)
  const bytes = await parts.blobs.find(spec.blobId)
  if (bytes === undefined) throw new Error(`The file of ${paperId} is not among the blobs`)
  const marks = overlay ? marksOf(await getDocument(parts, paperId, documentHash), page) : []
  return await parts.pool.renderPage(bytes, page, { dpi, marks })
}

export async function getSource (
  parts: Parts, paperId: string
): Promise<Pick<PaperSpec, 'fileName' | 'format' | 'bytes'> & { source: Readable }> {
  const { spec } = await paperReader(parts).job(paperId)
  const source = await parts.blobs.stream(spec.blobId)
  if (source === undefined) throw new Error(`The file of ${paperId} is not among the blobs`)
  return { fileName: spec.fileName, format: spec.format, source, bytes: spec.bytes }
}
