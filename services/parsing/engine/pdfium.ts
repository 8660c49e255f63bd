/**
 * PDFium (WebAssembly) as a `GlyphSource`. One instance a document: what a file does to the
 * engine's memory ends with it, and its memory has a maximum.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Font, GlyphSource, Pixels } from '../domain/page-glyphs.ts'
import { closePages, openPage, type OpenPages } from './open-pages.ts'
import { readPage } from './pdfium-page.ts'
import { renderBox } from './pdfium-render.ts'
import { capWasmMemory } from './wasm-memory.ts'

/** PDFium's exports, called without its slower wrappers. */
export type Calls = Record<string, (...args: number[]) => number>

/** Views of the engine's memory; a growing memory replaces them, so they are not kept. */
export interface Heaps {
  HEAPU8: Uint8Array
  HEAP32: Int32Array
  HEAPU32: Uint32Array
  HEAPF32: Float32Array
  HEAPF64: Float64Array
}

type Engine = WrappedPdfiumModule['pdfium'] & Heaps

/** An open document; `scratch` is 64 bytes of its memory for out parameters. */
export interface OpenPdf {
  module: Engine
  calls: Calls
  document: number
  scratch: number
  /** Quarter turns, clockwise, that make the text of a page upright; by page number. */
  turns: Map<number, number>
  fonts: Font[]
  fontIds: Map<number, number>
  pages: OpenPages
}

export interface EngineLimits { pagesMax: number, wasmBytesMax: number }

const modules = new Map<number, Promise<WebAssembly.Module>>()

/** Bits of PDF 32000-1 table 22: 5, copy or extract text and graphics. */
const extractBit = 1 << 4

/**
 * @returns a source to be closed by the caller
 * @throws  Problem paper-empty, not-a-paper, paper-encrypted, paper-damaged, paper-too-long or
 *          paper-too-complex; calls on the source throw the last as well
 */
export async function openPdf (bytes: Uint8Array, limits: EngineLimits): Promise<GlyphSource> {
  checkMagic(bytes)
  const instance = await instantiate(limits.wasmBytesMax)
  return guarded(() => {
    const pdf = load(instance, bytes)
    const pageCount = pdf.calls.FPDF_GetPageCount!(pdf.document)
    if (pageCount < 1) throw new Problem('paper-damaged', 'The PDF has no pages; upload it anew.')
    if (pageCount > limits.pagesMax) {
      throw new Problem('paper-too-long', `The PDF has ${pageCount} pages; at most ${limits.pagesMax} are read. Upload the paper without its supplements.`)
    }
    return {
      pageCount,
      fonts: pdf.fonts,
      metaTitle: metaText(pdf, 'Title'),
      restricted: isRestricted(pdf),
      readPage: number => guarded(() => readPage(pdf, number)),
      render: (page, box, dpi) => guarded(() => renderBox(pdf, { page, box, dpi })),
      close () {
        closePages(pdf.pages)
        pdf.calls.FPDF_CloseDocument!(pdf.document)
      }
    }
  })
}

/**
 * A page as pixels without reading what is on it, as pictures need it: reading a page full of vectors
 * costs more than drawing it.
 *
 * @param dpiOf the resolution for a page of this size in points
 * @throws      Problem of `openPdf`
 */
export async function drawFirstPage (
  bytes: Uint8Array, limits: EngineLimits, dpiOf: (width: number, height: number) => number
): Promise<Pixels> {
  checkMagic(bytes)
  const instance = await instantiate(limits.wasmBytesMax)
  return guarded(() => {
    const pdf = load(instance, bytes)
    const page = openPage(pdf.pages, 1, 0)
    if (page === 0) throw new Problem('paper-damaged', 'The PDF has no first page; upload it anew.')
    const width = pdf.calls.FPDF_GetPageWidthF!(page)
    const height = pdf.calls.FPDF_GetPageHeightF!(page)
    const pixels = renderBox(pdf, { page: 1, box: [0, 0, width, height], dpi: dpiOf(width, height) })
    closePages(pdf.pages)
    pdf.calls.FPDF_CloseDocument!(pdf.document)
    return pixels
  })
}

function checkMagic (bytes: Uint8Array): void {
  if (bytes.length === 0) throw new Problem('paper-empty', 'The file has no bytes; upload it anew.')
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (!head.includes('%PDF-')) {
    throw new Problem('not-a-paper', 'The file does not begin like a PDF; upload the PDF itself.')
  }
}

async function instantiate (wasmBytesMax: number): Promise<Engine> {
  let compiled = modules.get(wasmBytesMax)
  if (compiled === undefined) {
    compiled = compile(wasmBytesMax)
    modules.set(wasmBytesMax, compiled)
  }
  const wasm = await compiled
  const overrides = {
    instantiateWasm (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void
    ) {
      void WebAssembly.instantiate(wasm, imports).then(instance => done(instance, wasm))
      return {}
    },
    print () {},
    printErr () {}
  }
  const { pdfium } = await init(overrides as unknown as Parameters<typeof init>[0])
  return pdfium as Engine
}

async function compile (wasmBytesMax: number): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const capped = capWasmMemory(await readFile(path), wasmBytesMax)
  return await WebAssembly.compile(capped as Uint8Array<ArrayBuffer>)
}

function load (module: Engine, bytes: Uint8Array): OpenPdf {
  const calls = module.wasmExports as unknown as Calls
  calls.PDFiumExt_Init!()
  const file = calls.malloc!(bytes.length)
  const scratch = calls.malloc!(64)
  if (file === 0 || scratch === 0) throw new RangeError('The file does not fit the memory limit')
  module.HEAPU8.set(bytes, file)
  const document = calls.FPDF_LoadMemDocument!(file, bytes.length, 0)
  if (document === 0) throw openProblem(calls.FPDF_GetLastError!())
  const pages = { calls, document, handles: new Map<number, number>() }
  return { module, calls, document, scratch, turns: new Map(), fonts: [], fontIds: new Map(), pages }
}

/** Error codes of fpdfview.h: 4 password, 5 unsupported security. */
function openProblem (code: number): Problem {
  if (code === 4 || code === 5) {
    return new Problem('paper-encrypted', 'The PDF needs a password; upload a copy without one.')
  }
  return new Problem('paper-damaged', `The PDF cannot be opened (PDFium error ${code}); download it again, it may be cut short.`)
}

function isRestricted ({ calls, document }: OpenPdf): boolean {
  if (calls.FPDF_GetSecurityHandlerRevision!(document) < 0) return false
  return (calls.FPDF_GetDocUserPermissions!(document) & extractBit) === 0
}

function metaText ({ module, calls, document }: OpenPdf, key: string): string {
  const name = calls.malloc!(32)
  module.stringToUTF8(key, name, 32)
  const bytesMax = 2048
  const room = calls.malloc!(bytesMax)
  const length = calls.FPDF_GetMetaText!(document, name, room, bytesMax)
  const text = length > 2 && length <= bytesMax ? module.UTF16ToString(room) : ''
  calls.free!(room)
  calls.free!(name)
  return text
}

/** Engine faults (traps, aborts on exhausted memory) become one problem a user can read. */
function guarded<T> (work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('paper-too-complex', 'Reading the PDF exceeded its memory limit or broke the PDF engine; upload a simpler copy, for example one printed to PDF anew.', { cause: error })
  }
}
