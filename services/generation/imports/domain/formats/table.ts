/** Columns by the names that say what they are, and by the mapping of the caller. */
import type { BankMapping } from '../../../../../shared/contracts/bank.ts'
import { member, valueAt } from '../../../../../shared/text/member.ts'
import type { Fields } from '../bank.ts'
import { firstOf, lettered, type Format } from './format.ts'

const named = {
  sourceId: ['id', 'ID', 'qid', 'question_id', '번호', '문항번호', '문제번호'],
  question: ['question', 'Question', 'stem', 'prompt', '문제', '질문', '문항', '발문'],
  choices: ['choices', 'options', 'Choices', 'Options', '보기', '선택지'],
  answer: ['answer', 'Answer', 'answer_key', 'label', 'target', '정답', '답'],
  image: ['image', 'image_path', 'figure', '이미지', '그림'],
  rationale: ['rationale', 'explanation', 'solution', '해설', '풀이']
}

const columnsOfOptions: Array<(letter: string, number: number) => string> = [
  letter => letter, letter => letter.toLowerCase(), letter => `option_${letter.toLowerCase()}`, letter => `option${letter}`,
  letter => `Option ${letter}`, (_, number) => `choice${number}`, (_, number) => `choice_${number}`, (_, number) => `option${number}`,
  (_, number) => `option_${number}`, (_, number) => `보기${number}`, (_, number) => `선택지${number}`, (_, number) => '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'[number - 1]!
]

export const table: Format = {
  name: 'table',
  matches: keys => named.question.some(name => keys.has(name)) && named.answer.some(name => keys.has(name)),
  fields (value): Fields {
    const columns = columnsOfOptions.map(nameOf => lettered(value, nameOf)).find(found => found !== undefined)
    const image = firstOf(value, named.image)
    const question = firstOf(value, named.question)
    const text = member(question, 'text')
    const inner = member(question, 'image')
    return {
      sourceId: firstOf(value, named.sourceId),
      question: text === undefined ? question : text,
      images: [inner, image].filter(each => each !== undefined && each !== null && each !== '').flat(),
      choices: firstOf(value, named.choices) ?? columns,
      answer: firstOf(value, named.answer),
      rationale: firstOf(value, named.rationale)
    }
  }
}

export interface Placing { mapping: BankMapping, flat: boolean }

/** The fields of a format with those that the caller places elsewhere. */
export function mapped (fields: Fields, value: unknown, { mapping, flat }: Placing): Fields {
  const read = (path: string) => flat ? member(value, path) : member(value, path) ?? valueAt(value, path)
  const readAll = (path: string | string[]) => Array.isArray(path) ? trimmed(path.map(read)) : read(path)
  const placed: Fields = { ...fields }
  if (mapping.id !== undefined) placed.sourceId = read(mapping.id)
  if (mapping.question !== undefined) placed.question = read(mapping.question)
  if (mapping.questionImage !== undefined) placed.images = [readAll(mapping.questionImage)].flat().filter(image => image !== undefined && image !== null && image !== '')
  if (mapping.imageTimes !== undefined) placed.imageTimes = read(mapping.imageTimes)
  if (mapping.imageCaptions !== undefined) placed.imageCaptions = read(mapping.imageCaptions)
  if (mapping.choices !== undefined) placed.choices = readAll(mapping.choices)
  if (mapping.choiceImages !== undefined) placed.choiceImages = readAll(mapping.choiceImages)
  if (mapping.answer !== undefined) placed.answer = read(mapping.answer)
  if (mapping.rationale !== undefined) placed.rationale = read(mapping.rationale)
  if (mapping.explicitQuestion !== undefined) placed.explicitQuestion = read(mapping.explicitQuestion)
  if (mapping.explicitChoices !== undefined) placed.explicitChoices = readAll(mapping.explicitChoices)
  const slices = (mapping.slices ?? []).map(({ dimension, column }) => ({ dimension, value: read(column) }))
  const isPlaced = (dimension: string) => slices.some(each => each.dimension === dimension)
  const others = (fields.slices ?? []).filter(({ dimension }) => !isPlaced(dimension))
  return { ...placed, slices: [...others, ...slices] }
}

/** Columns after the last option that a row has are no options of it. */
function trimmed (cells: unknown[]): unknown[] {
  return cells.slice(0, cells.findLastIndex(cell => cell !== undefined && cell !== null && cell !== '') + 1)
}

/** Every column a mapping names. */
export function columnsOf (mapping: BankMapping): string[] {
  const { slices = [], ...fields } = mapping
  return [...Object.values(fields).flat(), ...slices.map(({ column }) => column)]
}
