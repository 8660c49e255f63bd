/**
 * An exam that parsing read as a document: numbered questions, options under ①, 1), or A., a key at the end
 * or an answer after each question. A number is a question's only where it goes on from the one before.
 */
import type { Document } from '../../../../../shared/contracts/document.ts'
import { lostExponent } from '../../../../../shared/text/powers.ts'
import { note, type Bank, type RawRow } from '../bank.ts'
import { blocksOf } from './blocks.ts'
import { certain, keyOf, type Key } from './key.ts'
import { optionsIn, styleOf, type Style } from './options.ts'
import { picturesOf, type ExamImages } from './pictures.ts'
import { questionsIn, type Question } from './questions.ts'

export function examBank (document: Document, images: ExamImages): Bank {
  const { body, key } = keyOf(blocksOf(document), document.tables)
  const style = styleOf(body)
  const questions = questionsIn(body, style)
  const pictures = picturesOf(document, questions, images)
  const rows: RawRow[] = []
  const lost = (number: number, detail: string) => {
    const fault = note('question-not-found', null, detail)
    rows.push({ row: rows.length + 1, value: undefined, notes: [], key: String(number), fault })
  }
  let last = 0
  for (const question of questions) {
    for (let missing = last + 1; missing < question.number; missing++) {
      lost(missing, `Between questions ${last} and ${question.number} no question ${missing} was found; look at the page.`)
    }
    last = question.number
    const shown = pictures.shown.get(question.number) ?? []
    const isBelow = pictures.below.has(question.number)
    rows.push(rowOf(question, { row: rows.length + 1, style, key, shown, isBelow }))
  }
  for (const missing of [...key.keys()].filter(number => number > last).toSorted((a, b) => a - b)) {
    lost(missing, `The key has an answer to question ${missing}, which was not found; look at the page.`)
  }
  return { container: 'pdf', flat: false, rows: () => rows }
}

interface Making {
  row: number
  style: Style
  key: Key
  shown: ReadonlyArray<Uint8Array | string>
  /** Whether it begins below a picture of the one before. */
  isBelow: boolean
}

function rowOf (question: Question, { row, style, key, shown, isBelow }: Making): RawRow {
  const { number, subject, blocks, passage } = question
  const whole = blocks.map(({ text }) => text.trim()).filter(text => text !== '').join('\n')
  const { text, answer, rationale } = withoutAnswer(whole)
  const { stem, options, doubts } = optionsIn(text, style)
  const answers = [...new Set([...key.get(number) ?? [], ...answer === undefined ? [] : [answer]])]
  const areImages = options.length >= 2 && options.every(each => each === '') && shown.length === options.length
  const value = {
    id: number,
    question: passage === undefined ? stem : `${passage}\n${stem}`,
    images: areImages ? [] : shown,
    choices: options.map((each, at) => areImages ? { text: '', image: shown[at] } : { text: each }),
    answer: answers.length > 1 ? answers : answers[0],
    rationale,
    subject
  }
  const notes = [
    ...doubts,
    ...[stem, ...options].some(each => lostExponent(each) !== undefined || /(?<![\d.])10 [-−]?\d{1,2}(?!\d)/u.test(each)) ? [note('exponent-uncertain', 'question', 'An exponent may stand on the line, as 10⁴ does in 104; look at the page.')] : [],
    ...passage === undefined ? [] : [note('passage-placed', 'question', 'A passage that several questions share stands before its own words; check that it is whole.')],
    ...shown.length === 0 ? [] : [note('image-placed', 'question', 'A picture was given to this question by where it stands on the page; check that it is its own, and whole.')],
    ...isBelow || (shown.length === 0 && speaksOfPicture.test(stem)) ? [note('picture-uncertain', 'question', 'It speaks of a picture that was not found, or stands below one that was given to the question before; look at the page.')] : []
  ]
  const lost = options.length < 2 ? { fault: note('options-not-found', 'choices', 'No two options were found under the question; look at the page.') } : {}
  return { row, value, notes, ...lost }
}

const speaksOfPicture = /그림|사진|도표|그래프|\b(?:figure|diagram|chart|graph|picture|image|photograph)s?\b/iu

/** "정답: ③ 해설: …" after the options of a question. */
function withoutAnswer (text: string): { text: string, answer?: string, rationale?: string } {
  const found = /(?:(?:^|\s)[[(【]?Answer|[[(【]?정답)[\])】]?\s*[:：]?\s*([①-⑳]|[A-J](?![A-Za-z])|\d{1,2}(?:번)?)\s*(?:$|(?=\n|\s*[[(【]?(?:해설|풀이|Explanation)))/u.exec(text)
  if (found === null) return { text }
  const after = text.slice(found.index + found[0].length).replace(/^\s*[[(【]?(?:해설|풀이|Explanation)[\])】]?\s*[:：]?\s*/u, '').trim()
  return { text: text.slice(0, found.index), answer: certain(found[1]!), ...after !== '' && { rationale: after } }
}
