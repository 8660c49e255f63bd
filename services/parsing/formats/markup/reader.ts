import type { PaperFormat } from '../../../../shared/contracts/paper.ts'
import type { Reader } from '../reader.ts'

/** Readers of mark-up, loaded when asked for: a process that parses PDFs needs none of them. */
export async function markupReader (format: Extract<PaperFormat, 'jats' | 'tei' | 'html'>): Promise<Reader> {
  switch (format) {
    case 'jats': return (await import('../jats/jats.ts')).readJats
    case 'tei': return (await import('../tei/tei.ts')).readTei
    case 'html': return (await import('../html/html.ts')).readHtmlPaper
  }
}
