/** Which part of an item's input each condition shows, and what follows from what. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { partialConditions, type PartialCondition, type PartialQuestion } from '../../../../shared/contracts/partial-input.ts'

/** What stands in the prompt beside the instructions; the choices are always there. */
export interface Shows {
  question: boolean
  /**
   * title: of the paper. captions: of the figures asked about. all: abstract, place and captions.
   * without-evidence: the same, less every part that holds evidence. evidence: its quotes.
   */
  text: 'none' | 'title' | 'captions' | 'all' | 'without-evidence' | 'evidence'
  images: 'none' | 'own' | 'other'
  /** What an item must have for the condition to take anything away from it. */
  needs: ReadonlyArray<'choices' | 'figures' | 'evidence' | 'paper'>
}

export const shows: Readonly<Record<PartialCondition, Shows>> = {
  'closed-book': { question: true, text: 'title', images: 'none', needs: ['paper'] },
  'question-only': { question: true, text: 'none', images: 'none', needs: [] },
  'choices-only': { question: false, text: 'none', images: 'none', needs: ['choices'] },
  'caption-only': { question: true, text: 'captions', images: 'none', needs: ['paper', 'figures'] },
  'image-withheld': { question: true, text: 'all', images: 'none', needs: ['paper', 'figures'] },
  'image-swapped': { question: true, text: 'all', images: 'other', needs: ['paper', 'figures'] },
  'evidence-withheld': { question: true, text: 'without-evidence', images: 'own', needs: ['paper', 'evidence'] },
  'evidence-alone': { question: true, text: 'evidence', images: 'none', needs: ['paper', 'evidence'] },
  full: { question: true, text: 'all', images: 'own', needs: ['paper'] }
}

/**
 * Each question by the conditions that it is about, the one that shows most first: a verdict rests on
 * the first that was asked, chosen before any answer is seen, and the others are reported for the set.
 * `reached`: the verdict when the right answer is found under it; `lost`: when it is found with the
 * full input, and more often than under it.
 */
export const questions: Readonly<Record<PartialQuestion, {
  routes: readonly PartialCondition[], reached: 'yes' | 'no', lost: 'yes' | 'no'
}>> = {
  needsPaper: { routes: ['closed-book', 'question-only', 'choices-only'], reached: 'no', lost: 'yes' },
  needsImage: { routes: ['image-withheld', 'caption-only', 'image-swapped'], reached: 'no', lost: 'yes' },
  evidenceSufficient: { routes: ['evidence-alone'], reached: 'yes', lost: 'no' },
  evidenceNecessary: { routes: ['evidence-withheld'], reached: 'no', lost: 'yes' }
}

export function applies (condition: PartialCondition, item: Item): boolean {
  return shows[condition].needs.every(need => {
    switch (need) {
      case 'choices': return item.kind === 'choice'
      case 'figures': return item.figureIds.length > 0
      case 'evidence': return item.evidence.length > 0
      default: return 'paperId' in item.source
    }
  })
}

/** Of those asked for, in the order of the table; `full` always. */
export function conditionsFor (item: Item, asked: readonly PartialCondition[]): PartialCondition[] {
  return partialConditions.filter(each => (each === 'full' || asked.includes(each)) && applies(each, item))
}
