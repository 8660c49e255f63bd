/** Page objects of an open PDF, in the order they are painted, forms entered. */
import type { Box, PageObject } from '../domain/page-glyphs.ts'
import type { OpenPdf } from './pdfium.ts'

/** Work on one page is bounded. */
const objectsMax = 30_000
const formDepthMax = 4
/** Segments of a clip path that are looked at; a rectangle has five. */
const segmentsMax = 32

/** x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = [number, number, number, number, number, number]

/** What a text object's glyphs do not tell of themselves. */
export interface TextPlace {
  /** Place in the order of painting, from 1. */
  layer: number
  /** What of the page its clip lets through; absent without one. */
  clip?: Box
  /** Inside a form: a drawing that may have been cropped from a larger one. */
  inForm: boolean
  /** Part of an optional layer, which may be switched off. */
  optional: boolean
}

export interface PageObjects { objects: PageObject[], texts: Map<number, TextPlace> }

const objectKinds: Record<number, PageObject['kind']> =
  { 2: 'path', 3: 'image', 4: 'shading', 5: 'form' }
const textKind = 1

interface ObjectWalk extends PageObjects { matrix: Matrix, depth: number, count: { layer: number } }

export function readObjects (pdf: OpenPdf, page: number, toPage: Matrix): PageObjects {
  const { calls } = pdf
  const walk: ObjectWalk = { matrix: toPage, depth: 0, count: { layer: 0 }, objects: [], texts: new Map() }
  const count = Math.min(calls.FPDFPage_CountObjects!(page), objectsMax)
  for (let i = 0; i < count; i++) readObject(pdf, calls.FPDFPage_GetObject!(page, i), walk)
  return { objects: walk.objects, texts: walk.texts }
}

function readObject (pdf: OpenPdf, object: number, walk: ObjectWalk): void {
  const { module, calls, scratch } = pdf
  const type = calls.FPDFPageObj_GetType!(object)
  const layer = ++walk.count.layer
  if (layer > 4 * objectsMax) return
  if (type === textKind) {
    const clip = clipOf(pdf, object, walk.matrix)
    const place = { layer, inForm: walk.depth > 0, optional: isOptional(pdf, object) }
    walk.texts.set(object, clip === undefined ? place : { ...place, clip })
    return
  }
  const kind = objectKinds[type]
  if (kind === undefined || walk.objects.length >= objectsMax) return
  const box = boundsOf(pdf, object, walk.matrix)
  if (box !== undefined) walk.objects.push({ kind, box, layer, ...coverOf(pdf, object, { kind, box }) })
  if (kind === 'form' && walk.depth < formDepthMax) {
    calls.FPDFPageObj_GetMatrix!(object, scratch)
    const own = Array.from(module.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 6)) as Matrix
    const inner = { ...walk, matrix: multiply(own, walk.matrix), depth: walk.depth + 1 }
    const count = Math.min(calls.FPDFFormObj_CountObjects!(object), objectsMax)
    for (let i = 0; i < count; i++) readObject(pdf, calls.FPDFFormObj_GetObject!(object, i), inner)
  }
}

/** Whether it hides what lies under it: a picture, or a filled path that could cover a word. */
function coverOf ({ module, calls, scratch }: OpenPdf, object: number,
  { kind, box }: Pick<PageObject, 'kind' | 'box'>): Pick<PageObject, 'opaque' | 'fill'> {
  if (kind === 'image') return { opaque: true }
  if (kind !== 'path' || box[2] - box[0] < 4 || box[3] - box[1] < 2) return {}
  calls.FPDFPath_GetDrawMode!(object, scratch, scratch + 4)
  if (module.HEAP32[scratch >> 2] === 0) return {}
  calls.FPDFPageObj_GetFillColor!(object, scratch, scratch + 4, scratch + 8, scratch + 12)
  const [red = 0, green = 0, blue = 0, alpha = 0] =
    module.HEAPU32.subarray(scratch >> 2, (scratch >> 2) + 4)
  return alpha > 200
    ? { opaque: true, fill: ((red & 255) << 16) | ((green & 255) << 8) | (blue & 255) }
    : {}
}

/** "OC" of PDF 32000-1 14.11.3.2, in UTF-16. */
const optionalTag = [0x4F, 0x43]

function isOptional ({ module, calls, scratch }: OpenPdf, object: number): boolean {
  const marks = Math.min(calls.FPDFPageObj_CountMarks!(object), 8)
  for (let i = 0; i < marks; i++) {
    const mark = calls.FPDFPageObj_GetMark!(object, i)
    if (calls.FPDFPageObjMark_GetName!(mark, scratch, 16, scratch + 32) === 0) continue
    if (module.HEAPU32[(scratch + 32) >> 2] !== 6) continue
    if (optionalTag.every((unit, at) => module.HEAPU8[scratch + 2 * at] === unit)) return true
  }
  return false
}

/** The box in which all clip paths of an object overlap; undefined when there is none. */
function clipOf ({ module, calls, scratch }: OpenPdf, object: number, matrix: Matrix): Box | undefined {
  const clip = calls.FPDFPageObj_GetClipPath!(object)
  const paths = clip === 0 ? 0 : Math.min(calls.FPDFClipPath_CountPaths!(clip), 8)
  if (paths <= 0) return undefined
  const shared: Box = [-Infinity, -Infinity, Infinity, Infinity]
  for (let path = 0; path < paths; path++) {
    const segments = calls.FPDFClipPath_CountPathSegments!(clip, path)
    if (segments < 3 || segments > segmentsMax) continue
    const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
    for (let i = 0; i < segments; i++) {
      const segment = calls.FPDFClipPath_GetPathSegment!(clip, path, i)
      if (segment === 0 || calls.FPDFPathSegment_GetPoint!(segment, scratch, scratch + 4) === 0) continue
      const px = module.HEAPF32[scratch >> 2]!
      const py = module.HEAPF32[(scratch >> 2) + 1]!
      const x = matrix[0] * px + matrix[2] * py + matrix[4]
      const y = matrix[1] * px + matrix[3] * py + matrix[5]
      if (x < box[0]) box[0] = x
      if (y < box[1]) box[1] = y
      if (x > box[2]) box[2] = x
      if (y > box[3]) box[3] = y
    }
    shared[0] = Math.max(shared[0], box[0])
    shared[1] = Math.max(shared[1], box[1])
    shared[2] = Math.min(shared[2], box[2])
    shared[3] = Math.min(shared[3], box[3])
  }
  return shared
}

function boundsOf ({ module, calls, scratch }: OpenPdf, object: number, matrix: Matrix): Box | undefined {
  if (calls.FPDFPageObj_GetBounds!(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) {
    return undefined
  }
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] =
    module.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4)
  const box: Box = [0, 0, 0, 0]
  mapBox(matrix, [x0, y0, x1, y1], box)
  return box
}

/** Sets `into` to the displayed box of a user-space box given as x0, y0, x1, y1. */
export function mapBox (m: Matrix, [x0, y0, x1, y1]: Readonly<Box>, into: Box): void {
  const ax = m[0] * x0 + m[2] * y0 + m[4]
  const ay = m[1] * x0 + m[3] * y0 + m[5]
  const bx = m[0] * x1 + m[2] * y1 + m[4]
  const by = m[1] * x1 + m[3] * y1 + m[5]
  into[0] = Math.min(ax, bx)
  into[1] = Math.min(ay, by)
  into[2] = Math.max(ax, bx)
  into[3] = Math.max(ay, by)
}

/** First `a`, then `b`. */
function multiply (a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
    a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
    a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5]
  ]
}
