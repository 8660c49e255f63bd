/** Which of a paper's sentences are about a figure, so that they may be evidence of items about it. */
import type { Figure } from '../../../shared/contracts/document.ts'
import type { Evidence } from '../../../shared/contracts/item.ts'
import { sentencesOfEvidence } from '../../../shared/text/claim-guard.ts'
import type { PlacedSentence } from '../../../shared/text/said-sentences.ts'
import { figureNumberOf, type SourceText } from './source-text.ts'

/**
 * Its caption, the sentences that name it, and those directly beside one in its paragraph that name no
 * other. Of a figure without a number, all of the paragraphs that parsing found to mention it.
 */
export function sentencesNear (figure: Figure, { sentences, named }: SourceText): Set<PlacedSentence> {
  const number = figureNumberOf(figure)
  const mentioned = new Set(figure.mentions.map(({ paragraphId }) => paragraphId))
  const names = (sentence: PlacedSentence | undefined) =>
    sentence !== undefined && number !== undefined && named.get(sentence)?.figures.has(number) === true
  return new Set(sentences.filter((sentence, i) => {
    const { type, id = '' } = sentence.passage.target
    if (type === 'figure') return id === figure.id
    if (names(sentence) || (number === undefined && mentioned.has(id))) return true
    if ((named.get(sentence)?.figures.size ?? 0) > 0) return false
    return [sentences[i - 1], sentences[i + 1]].some(beside =>
      beside?.passage === sentence.passage && names(beside))
  }))
}

/** Those of the evidence that are about the figure. */
export function evidenceNear (
  figure: Figure, evidence: readonly Evidence[], source: SourceText
): Evidence[] {
  const near = sentencesNear(figure, source)
  return evidence.filter(each => (each.target.type === 'figure' && each.target.id === figure.id) ||
    [...sentencesOfEvidence([each], source)].some(sentence => near.has(sentence)))
}
