import t from 'tap'
import { Type } from 'typebox'
import { defineService } from '../../../../shared/app/service.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import { smallDocument } from '../../test/fixtures/document.ts'
import { examBank } from '../domain/exam/exam.ts'
import { startBanks, told } from './bank-service.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64')

/** Paragraphs one below the other; figures at a height of the page. */
function examOf (paragraphs: string[], more: { figureAt?: number, rows?: string[][] } = {}): Document {
  const document = smallDocument('exam')
  const section = { ...document.sections[0]!, number: '', title: '', paragraphs: paragraphs.map((text, at) => ({ id: `p${at}`, text, page: 1, box: [50, 100 * at, 300, 100 * at + 90] })) }
  const [figure] = document.figures
  const [table] = document.tables
  return {
    ...document,
    abstract: null,
    sections: [section],
    figures: more.figureAt === undefined ? [] : [{ ...figure!, id: 'f1', page: 1, box: [60, more.figureAt, 200, more.figureAt + 20], imageId: '0'.repeat(64) }],
    tables: more.rows === undefined ? [] : [{ ...table, id: 't1', label: '', caption: '', page: 1, box: [0, 0, 1, 1], captionBox: [0, 0, 1, 1], sectionId: null, mentions: [], rows: more.rows }]
  }
}

interface Row { value: any, notes: Array<{ code: string }>, fault?: { code: string } }
const noImages = { figures: new Map(), pages: new Map() }
const rowsOf = (document: Document) => [...examBank(document, noImages).rows() as Iterable<Row>]
const shown = (document: Document) => rowsOf(document).map(({ value, fault }) =>
  fault?.code ?? [value.id, value.question, value.choices.map(({ text }: any) => text), value.answer])

t.test('an exam as parsing reads it', async t => {
  t.test('circled options, several questions in a paragraph, and a key in lines', async t => {
    t.strictSame(shown(examOf([
      '2023년 기상기사 필기', '1. 1013.25 hPa에서 물의 끓는점은? ① 90 ℃ ② 95 ℃ ③ 100 ℃ ④ 105 ℃ 2. 다음 중 ③에 알맞은 것은?', '① 비 ② 눈 ③ 우박', '④ 안개', '정답 1 ③ 2 ①'
    ])), [[1, '1013.25 hPa에서 물의 끓는점은?', ['90 ℃', '95 ℃', '100 ℃', '105 ℃'], '③'], [2, '다음 중 ③에 알맞은 것은?', ['비', '눈', '우박', '안개'], '①']])
  })

  t.test('options under 1) or A., keys in tables, answers after a question', async t => {
    t.strictSame(shown(examOf(['1. Which is hot?', '1) sun 2) ice 3) snow', '2. Which is cold?', '1) fire 2) ice 3) lava'], { rows: [['문제', '1', '2'], ['정답', '1', '2']] })), [
      [1, 'Which is hot?', ['sun', 'ice', 'snow'], '1번'], [2, 'Which is cold?', ['fire', 'ice', 'lava'], '2번']
    ])
    const lettered = rowsOf(examOf(['1. Which is hot? A. sun B. ice', '정답: A 해설: It burns.', '2. Which is cold? A. sun B. ice', 'Answer: B']))
    t.match(lettered, [{ value: { answer: 'A', rationale: 'It burns.' } }, { value: { answer: 'B' } }])
  })

  t.test('a question that was not found, one without options and two answers are told', async t => {
    t.strictSame(shown(examOf(['1. 무엇? ① 가 ② 나', '3. 어디? ① 가 ② 나', '4. 왜 그런가?', '정답 1 ① 1 ② 3 ② 4 ①'])), [[1, '무엇?', ['가', '나'], ['①', '②']], 'question-not-found', [3, '어디?', ['가', '나'], '②'], 'options-not-found'])
  })

  t.test('a key gives an answer only where it can be read in one way', async t => {
    const asked = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}. 무엇? ① 가 ② 나 ③ 다 ④ 라 ⑤ 마`)
    const answers = (key: string) =>
      rowsOf(examOf([...asked(4), key])).map(({ value, fault }) => fault?.code ?? value.answer)
    t.strictSame(answers('정답 1-4 ⑤②④①'), ['⑤', '②', '④', '①'], 'a range is no answer of its first number')
    t.strictSame(answers('정답 1~4 ⑤ ② ④'), [undefined, undefined, undefined, undefined], 'too few for a range')
    t.strictSame(answers('정답 1 ③ 2 ①,③ 3 ② 또는 ④ 4 ②③'), ['③', ['①', '③'], ['②', '④'], ['②', '③']], 'two answers stay two')
    t.strictSame(answers('정답 번호 1 2 3 4 정답 ② ④ ①'), [undefined, undefined, undefined, undefined], 'a row of numbers that lacks an answer')
    t.strictSame(answers('정답 1 ③ 2 3 ② 4 ①'), ['③', undefined, undefined, '①'], 'whose answer it is stays open')
    t.strictSame(answers('정답 1 2 3 4 3 1 4 2'), ['3번', '1번', '4번', '2번'], 'a row of digits under one of numbers')
    t.strictSame(answers('정답 1. 3 2. 1 3. 4 4. 2'), ['3번', '1번', '4번', '2번'])
    t.strictSame(answers('정답 1 3 2 1 3 4 2'), [undefined, undefined, undefined, undefined], 'digits of which one is missing')
    t.strictSame(answers('정답 1 ③ 2 ① 3 ② 4 ④ 5 ①'), ['③', '①', '②', '④', 'question-not-found'], 'the key knows of a question that was lost')
    const glued = examOf(['1. 무엇? ① 가 ② 나', '2. 무엇? ① 가 ② 나정답 1 ② 2 ①'])
    t.match(rowsOf(glued), [{ value: { answer: '②' } }, { value: { answer: '①', choices: [{ text: '가' }, { text: '나' }] } }], 'a key that parsing joined to the last word')
  })

  t.test('marks in a stem are no options, and what may be more than an option is told', async t => {
    const told = (...paragraphs: string[]) => rowsOf(examOf([...paragraphs, '정답 1 ① 2 ② 3 ①']))
      .filter(({ value }) => value !== undefined)
      .map(({ value, notes }) => [value.choices.length, ...notes.map(({ code }) => code)])
    t.strictSame(told('1. ①과 ②에 알맞은 것은? ① 가 ② 나 ③ 다 ④ 라', '2. 무엇? ① 가 ② 나 ③ ①과 ② 모두'), [[4], [3, 'options-uncertain']])
    t.match(rowsOf(examOf(['1. ①과 ②에 알맞은 것은? ① 가 ② 나 ③ 다', '정답 1 ① 2 ②'])), [{ value: { question: '①과 ②에 알맞은 것은?', choices: [{ text: '가' }, { text: '나' }, { text: '다' }] } }, { fault: {} }])
    t.match(told('1. 무엇? ① 가 ② 나 2 어디? ① 다 ② 라'), [[2, 'options-unclear']], 'two questions in one')
    t.match(told('1. 무엇? ① 가 ② 나 ④ 라'), [[2, 'options-unclear']], 'an option is missing')
    t.strictSame(told('1. 무엇? ① 가 ② 나', '수고하셨습니다.'), [[2, 'option-runs-on']])
    t.strictSame(told('1. 무엇? ① 가 ② 나 다음 글을 읽고 물음에 답하시오.'), [[2, 'option-runs-on']])
    t.strictSame(told('1. 몇 Pa? ① 10 4 ② 10 5'), [[2, 'exponent-uncertain']])
    t.strictSame(told('1. 다음 그림에서 높은 곳은? ① 가 ② 나'), [[2, 'picture-uncertain']], 'its picture was not found')
  })

  t.test('a passage stands before each question that shares it, and in no option', async t => {
    t.strictSame(shown(examOf(['1. 무엇? ① 가 ② 나 [2-3] 다음 글을 읽고 답하시오.', '한랭전선이 지나갔다. 2. 어디? ① 가 ② 나', '3. 언제? ① 가 ② 나', '4. 왜? ① 가 ② 나', '정답 1 ① 2 ② 3 ① 4 ②'])), [
      [1, '무엇?', ['가', '나'], '①'],
      [2, '[2-3] 다음 글을 읽고 답하시오.\n한랭전선이 지나갔다.\n어디?', ['가', '나'], '②'],
      [3, '[2-3] 다음 글을 읽고 답하시오.\n한랭전선이 지나갔다.\n언제?', ['가', '나'], '①'],
      [4, '왜?', ['가', '나'], '②']
    ])
  })
})

t.test('an exam is imported by its paperId, with the figures under its questions', async t => {
  const document = examOf(['1. 그림은 무엇인가? ① 가 ② 나', '2. 무엇인가? ① 가 ② 나', '정답', '1 ② 2 ①'], { figureAt: 50 })
  const parsing = defineService({
    name: 'parsing',
    config: Type.Object({}),
    summary: 'One exam',
    async start ({ app }) {
      app.get('/v1/papers/:paperId', async () => ({ id: document.paperId, state: 'succeeded', fileName: 'exam.pdf', documentHash: document.documentHash }))
      app.get('/v1/papers/:paperId/document', async () => document)
      app.get('/v1/papers/:paperId/figures/:figureId/image', async (_, reply) => await reply.type('image/png').send(png as never))
    }
  })
  const { ask, ended } = await startBanks(t, [parsing])
  const reply = await ask('/imports', { paperId: document.paperId, options: { name: 'Exam' } })
  t.equal(reply.status, 202)
  const { id } = await reply.json() as { id: string }
  const { record, rows, items } = await ended(id)
  t.match(record, { state: 'succeeded', container: 'pdf', format: 'exam-pdf', paperId: document.paperId, contentHash: document.documentHash })
  t.strictSame(told(rows), ['flagged image-placed image-tiny image-blank', 'accepted'])
  t.match(items, [{ question: '그림은 무엇인가?', answerIndex: 1, images: [{ imageId: /./ }] }, { answerIndex: 0 }])
  t.equal((await ask('/imports', { paperId: document.paperId, options: { name: 'Exam' } })).status, 200)
})
