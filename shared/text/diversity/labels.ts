/** What an item is of: where, which class of question, how hard, of which type of figure. Told by rules. */
import type { Item } from '../../contracts/item.ts'
import { termsOf } from '../tokens.ts'
import { figureTypeOf } from './figure-type.ts'
import type { Ground } from './ground.ts'
import { questionClassOf } from './question-class.ts'

export interface Labels {
  /** abstract, the id of a section, or none. */
  section: string
  questionClass: string
  difficulty: string
  /** Absent unless the item is about a figure. */
  figureType?: string
}

export const difficulties: readonly string[] = ['easy', 'medium', 'hard']

export function labelsOf (item: Item, ground: Ground): Labels {
  const { slices, figureIds, place } = item
  const figure = ground.document.figures.find(({ id }) => id === place || figureIds.includes(id))
  // The fixed questions on the abstract have their class from what they are.
  const questionClass = slices['aspect'] === 'abstract' && slices['questionClass'] !== undefined
    ? slices['questionClass']
    : questionClassOf(item.question)
  return {
    section: sectionOf(item, ground),
    questionClass,
    difficulty: difficultyOf(item, { questionClass }),
    ...figure !== undefined && { figureType: figureTypeOf(figure.caption) }
  }
}

function sectionOf ({ place, evidence }: Item, { sectionOf }: Ground): string {
  if (place === 'abstract') return place
  return sectionOf.get(place) ?? evidence.find(({ sectionId }) => sectionId !== undefined)?.sectionId ?? 'none'
}

const reasoning = new Set(['cause', 'comparison', 'trend', 'limitation', 'summary'])
/** Of the question's terms in one quote: then searching for its words finds the answer. */
const lookUpShare = 0.8

/**
 * Of items computed from a table, that of the operation. Otherwise one step up for each: the evidence
 * stands in two places or more, the class asks to relate things, no quote holds the question's words.
 */
function difficultyOf (
  { slices, question, evidence }: Item, { questionClass }: { questionClass: string }
): string {
  if (slices['operation'] !== undefined && slices['difficulty'] !== undefined) return slices['difficulty']
  const places = new Set(evidence.map(({ target: { type, id } }) => `${type} ${id}`))
  const asked = termsOf(question)
  const lookedUp = evidence.some(({ quote }) => {
    const said = new Set(termsOf(quote))
    return asked.filter(term => said.has(term)).length >= lookUpShare * asked.length
  })
  const steps = [places.size > 1, reasoning.has(questionClass), !lookedUp].filter(Boolean).length
  return difficulties[Math.min(steps, 2)]!
}
