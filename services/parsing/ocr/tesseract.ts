/**
 * Tesseract as WebAssembly, with its data from npm: nothing is downloaded, and a hostile picture stays
 * in the sandbox that reads the paper. Its packages are optional; without them only this fails.
 *
 * @see https://github.com/naptha/tesseract.js-core
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { Problem } from '../../../shared/errors/problem.ts'
import type { RecognisedLine, RecognisedWord } from '../domain/ocr-glyphs.ts'
import type { Box, Pixels } from '../domain/page-glyphs.ts'

export interface Recogniser {
  version: string
  read: (pixels: Pixels, dpi: number) => RecognisedLine[]
}

interface Corners { x0: number, y0: number, x1: number, y1: number }

interface ResultIterator {
  Begin (): void
  Next (level: number): boolean
  IsAtBeginningOf (level: number): boolean
  GetUTF8Text (level: number): string
  Confidence (level: number): number
  getBoundingBox (level: number): Corners
  getBaseline (level: number): Corners
  getRowAttributes (): { row_height: number }
}

interface Tesseract {
  FS: { writeFile (path: string, bytes: Uint8Array): void }
  TessBaseAPI: new () => {
    Init (folder: string, languages: string, mode: number): number
    SetPageSegMode (mode: number): void
    Version (): string
    SetImageFile (exif: number, angle: number, upscale: number): number
    SetSourceResolution (dpi: number): void
    Recognize (monitor: null): number
    GetIterator (): ResultIterator
    Clear (): void
  }
}

/** Levels of an iterator, as Tesseract numbers them. */
const level = { line: 2, word: 3, symbol: 4 }
/** OEM_LSTM_ONLY. */
const neural = 1
/** PSM_AUTO: columns are found; its default takes a page for one block. */
const wholePage = 3
const require = createRequire(import.meta.url)

/** @param languages as Tesseract names them, joined by +: `eng+kor` */
export async function openTesseract (languages: string): Promise<Recogniser> {
  const module = await loadTesseract()
  for (const language of languages.split('+')) module.FS.writeFile(`/${language}.traineddata`, dataOf(language))
  const api = new module.TessBaseAPI()
  if (api.Init('/', languages, neural) !== 0) throw new Error(`Tesseract does not start with the languages ${languages}`)
  api.SetPageSegMode(wholePage)
  return {
    version: api.Version(),
    read (pixels, dpi) {
      module.FS.writeFile('/input', greyMap(pixels))
      if (api.SetImageFile(0, 0, 1) !== 0) throw new Error('Tesseract does not take the picture of a page')
      api.SetSourceResolution(Math.round(dpi))
      if (api.Recognize(null) !== 0) throw new Error('Tesseract fails on the picture of a page')
      const lines = linesOf(api.GetIterator())
      api.Clear()
      return lines
    }
  }
}

async function loadTesseract (): Promise<Tesseract> {
  const start = requireOptional('tesseract.js-core/tesseract-core-simd-lstm.js') as
    (options: object) => Promise<Tesseract>
  return await start({ print: () => undefined, printErr: () => undefined })
}

function dataOf (language: string): Uint8Array {
  const name = `@tesseract.js-data/${language}`
  requireOptional(`${name}/package.json`)
  return gunzipSync(readFileSync(require.resolve(`${name}/4.0.0_best_int/${language}.traineddata.gz`)))
}

function requireOptional (name: string): unknown {
  try { return require(name) } catch (cause) {
    throw new Problem('engine-refused', `Text recognition is not installed here: ${name} is missing. Run npm install without --omit=optional, or npm install the package of that language.`, { cause })
  }
}

/** A portable grey map, the plainest form of a picture that Tesseract reads. */
function greyMap ({ width, height, data }: Pixels): Uint8Array {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`)
  const map = new Uint8Array(head.length + width * height)
  map.set(head)
  for (let i = 0, at = head.length; at < map.length; i += 3, at++) {
    map[at] = (data[i]! * 77 + data[i + 1]! * 150 + data[i + 2]! * 29) >> 8
  }
  return map
}

function linesOf (iterator: ResultIterator): RecognisedLine[] {
  const lines: RecognisedLine[] = []
  let words: RecognisedWord[] = []
  iterator.Begin()
  do {
    const text = iterator.GetUTF8Text(level.symbol)?.trim() ?? ''
    if (text === '') continue
    if (lines.length === 0 || iterator.IsAtBeginningOf(level.line)) {
      const { y0, y1 } = iterator.getBaseline(level.line)
      words = []
      lines.push({ baseline: (y0 + y1) / 2, height: iterator.getRowAttributes().row_height, words })
    }
    if (words.length === 0 || iterator.IsAtBeginningOf(level.word)) {
      words.push({ confidence: iterator.Confidence(level.word), symbols: [] })
    }
    const { x0, y0, x1, y1 } = iterator.getBoundingBox(level.symbol)
    words.at(-1)!.symbols.push({ text, box: [x0, y0, x1, y1] satisfies Box })
  } while (iterator.Next(level.symbol))
  return lines
}
