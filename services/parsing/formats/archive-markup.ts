/** JATS, TEI or HTML in an archive, with its pictures beside it, as PubMed Central packs its papers. */
import type { PaperFormat } from '../../../shared/contracts/paper.ts'
import { recognise, recogniseBytesMax } from '../domain/recognise.ts'
import { markupReader } from './markup/reader.ts'
import type { Read } from './reader.ts'

type MarkupFormat = Extract<PaperFormat, 'jats' | 'tei' | 'html'>

interface Found { name: string, bytes: Uint8Array, format: MarkupFormat }

/** Names of files that are kept beside those of LaTeX. */
export const markupNames = /\.(?:nxml|xml|x?html?)$/iu
/** Best first: where a picture comes in two forms, GIF is the small one. */
const extensions = ['', '.png', '.jpg', '.jpeg', '.pdf', '.gif']

/** @returns undefined when no file of the archive is a paper in mark-up */
export async function readMarkupIn (files: ReadonlyMap<string, Uint8Array>): Promise<Read | undefined> {
  const found = [...files].filter(([name]) => markupNames.test(name)).flatMap(([name, bytes]): Found[] => {
    const recognised = recognise(bytes.subarray(0, recogniseBytesMax))
    return 'format' in recognised && isMarkup(recognised.format) ? [{ name, bytes, format: recognised.format }] : []
  }).sort((a, b) => a.name < b.name ? -1 : 1)
  const [paper, ...others] = found
  if (paper === undefined) return undefined
  const { outline } = await (await markupReader(paper.format))(paper.bytes)
  if (others.length > 0) outline.warnings.push({ code: 'papers-left-out', detail: `The archive holds ${found.length} papers; only the first by name was read. Upload the others each by itself.` })
  return { outline, fileOf: pictureFinder(files, paper.name), format: paper.format }
}

function isMarkup (format: PaperFormat): format is MarkupFormat {
  return format === 'jats' || format === 'tei' || format === 'html'
}

/** By the path from the paper's folder, else by the name alone; upper and lower case are one. */
function pictureFinder (files: ReadonlyMap<string, Uint8Array>, paper: string) {
  const folder = paper.slice(0, paper.lastIndexOf('/') + 1).toLowerCase()
  const byPath = new Map([...files].map(([name, bytes]) => [name.toLowerCase(), bytes]))
  const byName = new Map([...files].map(([name, bytes]) => [baseOf(name.toLowerCase()), bytes]))
  return (href: string) => {
    const wanted = decoded(href).replace(/^(?:\.\/)+/u, '').toLowerCase()
    for (const extension of extensions) {
      const bytes = byPath.get(`${folder}${wanted}${extension}`) ?? byName.get(baseOf(wanted) + extension)
      if (bytes !== undefined) return bytes
    }
    return undefined
  }
}

function baseOf (name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function decoded (href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
