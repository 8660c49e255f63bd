/** What a document costs once, and each quote after that. */
import type { Document } from '../../../shared/contracts/document.ts'
import { evidenceSourceOf, groundEvidence } from '../../../shared/text/evidence.ts'
import { sentencesOf } from './triples.ts'
import type { Paper } from './papers.ts'

/** Pages of the longest document we take. */
const pagesMax = 300

export function printSpeed (papers: readonly Paper[]): void {
  console.log('\nSpeed, in milliseconds of processor time\n')
  const [first] = papers
  if (first === undefined) return
  time('a paper', first.document)
  time(`all papers as one, to ${pagesMax} pages`, joined(papers))
}

function joined (papers: readonly Paper[]): Document {
  const [{ document }] = papers as [Paper, ...Paper[]]
  const sections: Document['sections'] = []
  let pages = 0
  for (const [i, paper] of papers.entries()) {
    if (pages + paper.document.pages.length > pagesMax) break
    pages += paper.document.pages.length
    sections.push(...paper.document.sections.map(section => ({ ...section, id: `${i}.${section.id}` })))
  }
  const blank = Array.from({ length: pages }, (_, i) => ({ number: i + 1, width: 1, height: 1 }))
  return { ...document, sections, pages: blank }
}

function time (name: string, document: Document): void {
  const before = process.cpuUsage()
  const source = evidenceSourceOf(document)
  const prepared = spent(before)
  const sentences = sentencesOf(document).filter(({ text }) => text.length > 80)
  const some = sentences.filter((_, i) => i % Math.ceil(sentences.length / 200) === 0)
  const ask = (quoteOf: (text: string) => string) => {
    const start = process.cpuUsage()
    for (const { text } of some) groundEvidence(source, { question: 'What did they find?', answer: text, quotes: [quoteOf(text)] })
    return spent(start) / some.length
  }
  const [found, lost] = [ask(text => text), ask(text => text.replace(/\p{L}+ \p{L}+/u, 'nothing else'))]
  console.log(`${name}: ${document.pages.length} pages, prepared in ${prepared.toFixed(0)}; a quote found ${found.toFixed(2)}, not found ${lost.toFixed(2)}`)
}

function spent (before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
