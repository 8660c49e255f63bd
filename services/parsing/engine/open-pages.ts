/**
 * Pages of a document kept loaded between reading, looking for ink and cropping: a page that is
 * loaded anew decodes its pictures anew, which costs more than drawing it.
 */
import type { Calls } from './pdfium.ts'

export interface OpenPages {
  calls: Calls
  document: number
  /** Handle by page number, the one used last at the end. */
  handles: Map<number, number>
}

/** A paper shows its figures on fewer pages than that. */
const pagesMax = 16
/** Decoded pictures must not take the memory that drawing needs. */
const bytesMax = 96 * 2 ** 20

/**
 * @param number    from 1
 * @param heapBytes the engine's memory as it is now
 * @returns         the handle, 0 for a page that cannot be loaded; not to be closed by the caller
 */
export function openPage (pages: OpenPages, number: number, heapBytes: number): number {
  const { calls, document, handles } = pages
  if (heapBytes > bytesMax) closePages(pages)
  const known = handles.get(number)
  const handle = known ?? calls.FPDF_LoadPage!(document, number - 1)
  if (handle === 0) return 0
  handles.delete(number)
  handles.set(number, handle)
  if (handles.size > pagesMax) {
    const [oldest, first] = handles.entries().next().value!
    calls.FPDF_ClosePage!(first)
    handles.delete(oldest)
  }
  return handle
}

export function closePages ({ calls, handles }: OpenPages): void {
  for (const handle of handles.values()) calls.FPDF_ClosePage!(handle)
  handles.clear()
}
