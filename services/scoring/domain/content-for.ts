/** The text of the paper that goes with a question, as the condition's content mode has it. */
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { contentOf } from '../../../shared/text/content.ts'
import { placeName, promptNameOf, sectionOf } from './messages.ts'
import type { Question } from './question.ts'

interface Asked {
  item: BenchmarkItem
  question: Question
  document: Document | null
  condition: Condition
}

/** Only content mode oracle sees the item's evidence; that is what it is for. */
export function contentFor (
  { item, question, document, condition }: Asked
): { text: string, leftOut: string[] } {
  const { contentMode: mode, contentTokensMax: maxTokens } = condition
  if (document === null || mode === 'none') return { text: '', leftOut: [] }
  return contentOf(document, {
    mode,
    maxTokens,
    sectionId: sectionOf(question.place, document),
    query: queryOf(question, document),
    ...mode === 'oracle' && { evidence: item.evidence }
  })
}

/**
 * What is looked for: the question, and of an open one its place, which its prompt names too: "summarize
 * the contents of this section" says nothing by itself.
 */
function queryOf ({ kind, text, place }: Question, document: Document): string {
  return promptNameOf(kind) === 'descriptive' ? `${text} ${placeName(place, document)}` : text
}
