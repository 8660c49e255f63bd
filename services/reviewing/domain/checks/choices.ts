/** The form of an answer: what each kind of item must have to be scored at all. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { fail, pass, shown, type Finding, type Subject } from './finding.ts'

/**
 * Descriptive kinds have a reference answer and no choices; `binary` has exactly the choices Yes,
 * No; `choice` has choices that differ in more than case and white space, or in their image; one that
 * has an image needs no text. The right one exists.
 */
export function choicesFit ({ item }: Pick<Subject, 'item'>): Finding {
  return item.kind === 'qa' || item.kind === 'vqa' ? descriptive(item) : closed(item)
}

function descriptive ({ answer, choices, answerIndex }: Item): Finding {
  if (answer === undefined || answer.trim() === '') return fail('A descriptive question needs a reference answer.')
  return choices === undefined && answerIndex === undefined
    ? pass('There is a reference answer.')
    : fail('A descriptive question must have no choices.')
}

function closed ({ kind, choices = [], answerIndex }: Item): Finding {
  const texts = choices.map(choice => choice.text)
  if (kind === 'binary' && (texts.length !== 2 || texts[0] !== 'Yes' || texts[1] !== 'No')) {
    return fail('A yes/no question must have exactly the choices Yes and No, in this order.')
  }
  if (texts.length < 2) return fail('There are fewer than two choices.')
  const seen = new Set<string>()
  for (const { text, imageId } of choices) {
    const folded = text.trim().toLowerCase().split(/\s/u).filter(Boolean).join(' ')
    if (folded === '' && imageId === undefined) return fail('One choice is blank.')
    const key = `${imageId ?? ''} ${folded}`
    if (seen.has(key)) return fail(`The choice ${shown(text)} stands there twice${imageId === undefined ? '' : ', with the same image'}.`)
    seen.add(key)
  }
  if (answerIndex === undefined || answerIndex >= texts.length) {
    return fail('No choice is marked as the right one.')
  }
  return pass(`${texts.length} choices differ, and one is marked as right.`)
}
