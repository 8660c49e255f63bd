/** Parses one paper of a corpus, with the clock running, and scores it. */
import { readFileSync } from 'node:fs'
import { paperIdOf } from '../../../shared/contracts/hash.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { finishDocument } from '../../../services/parsing/domain/finish-document.ts'
import { layOut } from '../../../services/parsing/domain/layout.ts'
import type { Font, PageGlyphs } from '../../../services/parsing/domain/page-glyphs.ts'
import { openPdf } from '../../../services/parsing/engine/pdfium.ts'
import { parseLimits, parsePdf } from '../../../services/parsing/parse-pdf.ts'
import type { CorpusPaper } from './corpus.ts'
import type { PageLine } from './floats.ts'
import { scorePaper, type PaperScore } from './score.ts'

export interface Row extends PaperScore {
  slug: string
  style: string
  pages: number
  /** Milliseconds; text only, with crops (null when not asked for), and the engine reading every glyph. */
  textMs: number
  cropsMs: number | null
  engineMs: number
  document: Document
}

/** @param textOnly leaves out the rendering of figures, with all that is measured of them */
export async function measurePaper (paper: CorpusPaper, textOnly: boolean): Promise<Row> {
  const bytes = readFileSync(paper.pdf)
  const paperId = paperIdOf(bytes)
  const bare = await readBare(bytes)
  const lines = linesOf(bare)
  const text = await timed(async () => await parsePdf(bytes, { paperId, pictures: false }))
  const crops = textOnly ? null : await timed(async () => await parsePdf(bytes, { paperId }))
  const { document } = finishDocument((crops ?? text).result.document)
  const score = scorePaper({ document, lines }, paper)
  return {
    slug: paper.slug,
    style: paper.style,
    pages: document.pages.length,
    textMs: text.ms,
    cropsMs: crops?.ms ?? null,
    engineMs: bare.ms,
    document,
    ...textOnly ? withoutPictures(score) : score
  }
}

function withoutPictures ({ counts, misses }: PaperScore): PaperScore {
  return {
    counts: { ...counts, ...ofPictures },
    misses: misses.filter(miss => !/^crop|^caption (?:missed|extra): fig|^home of fig/iu.test(miss))
  }
}

const ofPictures = {
  whole: null,
  pictured: null,
  figures: null,
  homes: null,
  cropHalf: null,
  crop: null,
  cropContains: null,
  cropClean: null
}

async function timed<T> (work: () => Promise<T>): Promise<{ result: T, ms: number }> {
  const start = performance.now()
  const result = await work()
  return { result, ms: performance.now() - start }
}

interface Bare { pages: PageGlyphs[], fonts: readonly Font[], ms: number }

/** The engine alone, every glyph and object read: what structure is compared with. */
async function readBare (bytes: Uint8Array): Promise<Bare> {
  const start = performance.now()
  const source = await openPdf(bytes, parseLimits)
  try {
    const pages: PageGlyphs[] = []
    for (let page = 1; page <= source.pageCount; page++) pages.push(source.readPage(page))
    return { pages, fonts: source.fonts, ms: performance.now() - start }
  } finally {
    source.close()
  }
}

function linesOf ({ pages, fonts }: Bare): PageLine[] {
  return layOut(pages, fonts).pages.flatMap(({ number, lines, heads }) =>
    [...lines, ...heads].map(({ text, box }) => ({ page: number, text, box })))
}
