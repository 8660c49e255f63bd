/** Powers of ten that the text does not show as such, as whoever uses the document is told. */
import type { DocumentWarning } from '../../../shared/contracts/document.ts'
import { lostExponent } from '../../../shared/text/powers.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import type { DocumentDraft } from '../parser.ts'

const examplesMax = 5

/**
 * One warning for all sentences of the abstract, paragraphs, captions, notes and cells; how many they are
 * and what the first five say. No question, answer or quote is made of them.
 */
export function exponentWarnings ({
  abstract, sections, figures, tables, footnotes
}: Pick<DocumentDraft, 'abstract' | 'sections' | 'figures' | 'tables' | 'footnotes'>): DocumentWarning[] {
  const texts = [
    ...abstract === null ? [] : [abstract],
    ...sections.filter(({ kind }) => kind !== 'references').flatMap(({ paragraphs }) => paragraphs),
    ...[...figures, ...tables].map(({ caption, page }) => ({ text: caption, page })),
    ...footnotes,
    ...tables.flatMap(({ rows, page }) => (rows ?? []).flat().map(text => ({ text, page })))
  ]
  const found = texts.flatMap(({ text, page }) => splitSentences(text).flatMap(sentence => {
    const said = lostExponent(sentence.text)
    return said === undefined ? [] : [{ said, page }]
  }))
  const [first] = found
  if (first === undefined) return []
  const examples = found.slice(0, examplesMax).map(({ said, page }) => `"${said}" (page ${page})`).join(', ')
  return [{
    code: 'exponent-uncertain',
    detail: `Powers of ten whose exponent may stand on the line, as 10⁴ does in 104: ${found.length} sentences or cells, among them ${examples}. No question, answer or quote is made of these; check such numbers in the paper.`,
    page: first.page
  }]
}
