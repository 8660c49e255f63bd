/** Formats of published banks with options. */
import { inHashOrder } from '../../../../../shared/contracts/hash.ts'
import { member } from '../../../../../shared/text/member.ts'
import type { Fields } from '../bank.ts'
import { firstOf, lettered, slicesOf, type Format } from './format.ts'

const listNames = ['options', 'choices']
const letters = ['A', 'B', 'C', 'D']
const hasLetters = (keys: ReadonlySet<string>) => letters.every(letter => keys.has(letter))

/** KMMLU (columns A to D, answers from 1) and KMMLU-Redux and -Pro (a list of options). */
export const kmmlu: Format = {
  name: 'kmmlu',
  base: 1,
  matches: keys => keys.has('question') && (
    (hasLetters(keys) && keys.has('answer') && (keys.has('Category') || keys.has('Human Accuracy'))) ||
    (keys.has('options') && keys.has('solution') && !keys.has('answer_index'))),
  fields: value => ({
    sourceId: firstOf(value, ['id', 'question_id']),
    question: member(value, 'question'),
    choices: firstOf(value, listNames) ?? lettered(value, letter => letter),
    answer: firstOf(value, ['answer', 'solution']),
    slices: slicesOf(value, {
      category: member(value, 'Category') === undefined ? 'category' : 'Category', licenceName: 'license_name', year: 'year'
    })
  })
}

/** MMLU (a list, or columns A to D with a letter) and MMLU-Pro (options, answer, answer_index). */
export const mmlu: Format = {
  name: 'mmlu',
  base: 0,
  matches: keys => keys.has('question') && (
    (keys.has('choices') && keys.has('subject') && !keys.has('lecture') && !keys.has('hint')) ||
    (keys.has('options') && keys.has('answer_index')) || (hasLetters(keys) && keys.has('answer'))),
  fields: value => ({
    sourceId: firstOf(value, ['question_id', 'id']),
    question: member(value, 'question'),
    choices: firstOf(value, listNames) ?? lettered(value, letter => letter),
    // Of MMLU-Pro the letter, which counts from nothing.
    answer: member(value, 'answer') ?? member(value, 'answer_index'),
    rationale: firstOf(value, ['cot_content', 'explanation']),
    slices: slicesOf(value, { subject: 'subject', category: 'category', origin: 'src' })
  })
}

/** ScienceQA: options from 0, an image or none, a hint that belongs to the question. */
export const scienceqa: Format = {
  name: 'scienceqa',
  base: 0,
  matches: keys => keys.has('question') && keys.has('choices') && keys.has('answer') &&
    ['hint', 'lecture', 'skill', 'task'].filter(name => keys.has(name)).length >= 2,
  fields (value): Fields {
    const hint = member(value, 'hint')
    const question = member(value, 'question')
    const image = firstOf(value, ['image'])
    return {
      sourceId: firstOf(value, ['id', 'pid']),
      question: typeof hint === 'string' && hint.trim() !== '' && typeof question === 'string' ? `${hint.trim()}\n\n${question}` : question,
      images: image === undefined ? [] : [image],
      choices: member(value, 'choices'),
      answer: member(value, 'answer'),
      rationale: member(value, 'solution'),
      slices: slicesOf(value, { subject: 'subject', topic: 'topic', category: 'category', skill: 'skill', grade: 'grade', task: 'task' })
    }
  }
}

/** VQA-RAD: open and closed questions on one image; no options. */
export const vqaRad: Format = {
  name: 'vqa-rad',
  matches: keys => keys.has('question') && keys.has('answer') && !keys.has('choices') && !keys.has('options') &&
    (keys.has('image_name') || (keys.has('image') && keys.size <= 4)),
  fields: value => ({
    sourceId: firstOf(value, ['qid', 'id']),
    question: member(value, 'question'),
    images: [firstOf(value, ['image', 'image_name'])].filter(image => image !== undefined),
    answer: member(value, 'answer'),
    slices: slicesOf(value, { answerType: 'answer_type', questionType: 'question_type', organ: 'image_organ', phraseType: 'phrase_type' })
  })
}

const wrong = ['Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3']

/** GPQA: the right answer first and three wrong ones. They are put in the order of their hashes. */
export const gpqa: Format = {
  name: 'gpqa',
  matches: keys => keys.has('Question') && keys.has('Correct Answer') && keys.has('Incorrect Answer 1'),
  fields (value): Fields {
    const right = member(value, 'Correct Answer')
    const options = [right, ...wrong.map(name => member(value, name))].filter(option => option !== undefined && option !== null && option !== '')
    const question = String(member(value, 'Question') ?? '')
    const choices = inHashOrder(options, option => `${question}\n${String(option)}`)
    return {
      sourceId: firstOf(value, ['Record ID']),
      question: member(value, 'Question'),
      choices,
      // By its letter: its text may be a number or read like another.
      answer: right === undefined || right === null || right === '' ? undefined : String.fromCharCode(65 + choices.indexOf(right)),
      rationale: member(value, 'Explanation'),
      slices: slicesOf(value, { domain: 'High-level domain', subdomain: 'Subdomain', difficulty: 'Writer\'s Difficulty Estimate' })
    }
  }
}
