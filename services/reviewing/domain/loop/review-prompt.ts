/** An item as its reviewer reads it: every value is data of the prompt's variables. */
import type { Item } from '../../../../shared/contracts/item.ts'
import type { RubricName } from './rubric.ts'

const answerabilityClaims = {
  unanswerable: 'the paper does not hold the answer.',
  'false-premise': 'the question takes something for granted that the paper contradicts.'
} as const

/** How the item is meant not to be answerable; undefined for one that is. */
export function claimOf ({ answerability }: Pick<Item, 'answerability'>): string | undefined {
  return answerability === undefined ? undefined : answerabilityClaims[answerability]
}

export function letterOf (index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}

/**
 * What of the item itself stands in the prompt of its rubric.
 *
 * @param faults  of an earlier reply that could not be used; with none nothing is said, or a model repeats it
 */
export function itemValues (
  item: Item, rubric: RubricName, faults: readonly string[]
): Record<string, string> {
  const common = {
    question: item.question,
    faults: faults.length === 0 ? '' : `Your earlier reply could not be used:\n${faults.join('\n')}`
  }
  switch (rubric) {
    case 'descriptive': return { ...common, answer: item.answer ?? '' }
    case 'choice': return { ...common, choices: choicesShown(item), right: letterOf(item.answerIndex ?? 0) }
    case 'binary': return { ...common, answer: rightChoice(item) }
    case 'unanswerable': return {
      ...common,
      claim: claimOf(item) ?? '',
      answer: item.answer ?? `${choicesShown(item)}\nRight: ${letterOf(item.answerIndex ?? 0)}`
    }
  }
}

function choicesShown ({ choices = [] }: Item): string {
  return choices.map(({ text }, i) => `${letterOf(i)}. ${text.replace(/\s+/gu, ' ')}`).join('\n')
}

export function rightChoice ({ choices = [], answerIndex = 0 }: Item): string {
  return choices[answerIndex]?.text ?? ''
}
