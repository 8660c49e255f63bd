/**
 * The mechanical checks of an item of a bank. There is no paper: nothing is said of evidence, places or
 * numbers, and its wording is others' work, which rules for our own writers do not judge.
 */
import { isSequence, type Check, type Item } from '../../../../shared/contracts/item.ts'
import { asMade } from '../checks/as-made.ts'
import { choicesFit } from '../checks/choices.ts'
import { fail, pass, type Finding } from '../checks/finding.ts'

/** A bank's question may bring a passage along. */
const questionMax = 20_000
const answerMax = 8_000

type CheckFunction = (subject: { item: Item }) => Finding | null

const checks: Record<string, CheckFunction> = {
  'as-made': asMade,
  choices: choicesFit,
  length: lengthFits,
  images: imagesFit,
  wording: wordingFits
}

/** Names are public, as those of items of papers; those that both have mean the same. */
export function checkBankItem (item: Item): Check[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const finding = check({ item })
    return finding === null ? [] : [{ name, ...finding }]
  })
}

/** Only what no person could answer and no context could hold. */
function lengthFits ({ item: { question, answer = '' } }: { item: Item }): Finding {
  if (question.trim() === '') return fail('The question is blank.')
  const [asked, answered] = [[...question].length, [...answer].length]
  if (asked > questionMax) return fail(`The question has ${asked} characters; at most ${questionMax} are allowed.`)
  return answered > answerMax
    ? fail(`The answer has ${answered} characters; at most ${answerMax} are allowed.`)
    : pass(`The question has ${asked} characters.`)
}

/** Null where there is nothing to see. That an image is there to be had, freezing finds out. */
function imagesFit ({ item: { kind, images = [], choices = [] } }: { item: Item }): Finding | null {
  if (kind === 'vqa' && images.length === 0) return fail('A question about an image must have one.')
  const ofChoices = choices.filter(({ imageId }) => imageId !== undefined).length
  if (images.length + ofChoices === 0) return null
  const sequence = isSequence({ images }) ? ', a sequence in time' : ''
  return pass(`It has ${images.length} images of the question${sequence} and ${ofChoices} of choices.`)
}

function wordingFits ({ item: { explicitWording, choices } }: { item: Item }): Finding | null {
  if (explicitWording?.choices === undefined) return null
  const [worded, written] = [explicitWording.choices.length, choices?.length ?? 0]
  return worded === written
    ? pass('The explicit wording has as many choices as the item.')
    : fail(`The explicit wording has ${worded} choices and the item ${written}.`)
}
