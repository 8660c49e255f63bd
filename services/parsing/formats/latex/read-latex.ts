/**
 * A LaTeX source, an archive or one file, read into an outline. Nothing is compiled and no file is
 * opened but those in the archive; what a TeX machine alone can know (positions, pages) is left out.
 */
import { Problem } from '../../../../shared/errors/problem.ts'
import { splitParts } from '../../domain/abstract.ts'
import { archiveKind, readArchive, type Archive } from '../archive.ts'
import { markupNames, readMarkupIn } from '../archive-markup.ts'
import { composePanels } from '../compose-panels.ts'
import type { Read, Reader as FormatReader } from '../reader.ts'
import { argument } from './arguments.ts'
import { readAuthors } from './authors.ts'
import { bibliographyCommands, bibliographyEnvironments, completeBibliography } from './bibliography.ts'
import { blockCommands, blockEnvironments } from './blocks.ts'
import { floatCommands, floatEnvironments } from './floats.ts'
import { hiddenCommands } from './hidden.ts'
import { frontCommands, frontEnvironments } from './front.ts'
import { openSource } from './input.ts'
import { mathCommands, mathEnvironments } from './math.ts'
import { endParagraph, paragraphCommands } from './paragraphs.ts'
import { openProject, pictureExtensions, type Project } from './project.ts'
import {
  beginEnvironment, closeAll, endEnvironment, newReader, run, warn, type Handlers, type Reader
} from './reader.ts'
import { referenceCommands } from './references.ts'
import { resolve } from './resolve.ts'
import { tableCommands, tableEnvironments } from './tables.ts'
import { withoutMarks } from './marks.ts'
import { sourceOf } from './tokens.ts'

const handlers: Handlers = {
  commands: new Map([
    ...paragraphCommands, ...mathCommands, ...floatCommands, ...tableCommands, ...referenceCommands,
    ...frontCommands, ...blockCommands, ...bibliographyCommands, ...hiddenCommands,
    ['begin', beginEnvironment], ['end', endEnvironment], ['graphicspath', graphicsPath]
  ]),
  environments: new Map([
    ...mathEnvironments, ...floatEnvironments, ...tableEnvironments, ...frontEnvironments,
    ...blockEnvironments,
    ...bibliographyEnvironments
  ])
}

/** Files whose bytes are kept; the others only count. */
const wanted = /\.(?:tex|ltx|latex|txt|bbl|bib|sty|cls|pdf|png|jpe?g|gif|eps|ps|svg|pdf_tex|tikz|inc|def)$/iu

/** @throws Problem of `readArchive`; not-a-paper without a document, paper-too-complex */
export const readLatex: FormatReader = async bytes => {
  const archive = archiveKind(bytes) === undefined
    ? { files: new Map([['main.tex', bytes]]), warnings: [] }
    : await readArchive(bytes, { wanted: name => wanted.test(name) || markupNames.test(name) || !name.includes('.') })
  const project = openProject(named(archive))
  if (project === undefined) {
    const read = await readMarkupIn(archive.files)
    if (read === undefined) throw notLatex(archive.files)
    read.outline.warnings.unshift(...archive.warnings)
    return read
  }
  const { reader, folders } = readProject(project)
  const { outline } = reader
  outline.warnings.unshift(...archive.warnings)
  return await withPictures(reader, folders)
}

/** The one file of a gzip has no name that counts. */
function named ({ files }: Pick<Archive, 'files'>): Map<string, Uint8Array> {
  const single = files.get('')
  return single === undefined ? files : new Map([['main.tex', single]])
}

function notLatex (files: ReadonlyMap<string, Uint8Array>): Problem {
  const [first] = files.values()
  const isPdf = files.size === 1 && first !== undefined && Buffer.from(first.subarray(0, 1_024)).includes('%PDF-')
  return new Problem('not-a-paper', isPdf
    ? 'The archive holds a PDF; take it out and upload it as it is.'
    : 'The archive has no LaTeX source (no .tex file in it has a \\documentclass) and no JATS, TEI or LaTeXML HTML. Upload the sources of the paper as they go to arXiv, or its PDF.')
}

const foldersOf = new WeakMap<Reader, string[]>()

function graphicsPath (reader: Reader): void {
  const folders = foldersOf.get(reader) ?? []
  const raw = sourceOf(argument(reader.input))
  const named = [...raw.matchAll(/\{([^{}]{0,200})\}/gu)].map(([, folder]) => folder!)
  folders.push(...named.slice(0, 50))
  foldersOf.set(reader, folders)
}

function readProject (project: Project): { reader: Reader, folders: readonly string[] } {
  const reader = newReader(project, handlers)
  openSource(reader.input, project.text(project.main), project.main)
  run(reader)
  closeAll(reader)
  endParagraph(reader)
  completeBibliography(reader)
  const { outline } = reader
  const text = reader.abstract.join(' ')
  const parts = splitParts(withoutMarks(text, () => ''))
  outline.abstract = text === '' ? null : { text, ...(parts.length > 0 && { parts }) }
  outline.authors = readAuthors(reader.front)
  resolve(reader)
  if (!reader.started) warn(reader, 'latex-without-document', 'The source has no \\begin{document}; little of it could be read.')
  return { reader, folders: foldersOf.get(reader) ?? [] }
}

/** Each figure with one picture: that of its one file, or its panels set side by side. */
async function withPictures (
  { outline, project, panels }: Reader, folders: readonly string[]
): Promise<Read> {
  const bytesOf = (href: string) => {
    for (const folder of ['', ...folders]) {
      const name = project.find(folder + href, pictureExtensions)
      if (name !== undefined) return project.files.get(name)
    }
    return undefined
  }
  for (const [i, figure] of outline.figures.entries()) {
    const rows = panels[i] ?? []
    if (rows.flat().length < 2) continue
    const composed = await composePanels(rows.map(row => row.map(bytesOf)))
    if (composed === undefined) continue
    figure.pictures = [{ bytes: composed.png }]
    if (composed.missing > 0) {
      outline.warnings.push({ code: 'panel-not-readable', detail: `${figure.label}: ${composed.missing} of its ${rows.flat().length} pictures cannot be read; the others are shown.` })
    }
  }
  return { outline, fileOf: bytesOf }
}
