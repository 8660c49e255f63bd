/** The papers of a folder as documents, parsed by the project's own parser, kept between runs. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from '../../../shared/contracts/document.ts'
import { paperIdOf } from '../../../shared/contracts/hash.ts'
import { finishDocument } from '../../../services/parsing/domain/finish-document.ts'
import { parsePdf } from '../../../services/parsing/parse-pdf.ts'

export interface Paper { slug: string, document: Document }

/**
 * Every `<slug>.pdf` of the folder, by name. Pictures are rendered: without, figures are not found.
 *
 * @param cache  where documents are kept; delete it after a change of the parser
 */
export async function readPapers (folder: string, cache: string): Promise<Paper[]> {
  mkdirSync(cache, { recursive: true })
  const slugs = readdirSync(folder).filter(name => name.endsWith('.pdf')).map(name => name.slice(0, -4)).sort()
  const papers: Paper[] = []
  for (const slug of slugs) {
    const bytes = readFileSync(join(folder, `${slug}.pdf`))
    const paperId = paperIdOf(bytes)
    const kept = join(cache, `${paperId}.json`)
    if (existsSync(kept)) {
      papers.push({ slug, document: JSON.parse(readFileSync(kept, 'utf8')) as Document })
      continue
    }
    const parsed = await parsePdf(bytes, { paperId })
    const { document } = finishDocument(parsed.document)
    writeFileSync(kept, JSON.stringify(document))
    papers.push({ slug, document })
  }
  return papers
}
