import t from 'tap'
import { startBanks, told } from './bank-service.ts'

const options = ['한랭전선', '온난전선', '폐색전선', '정체전선']
const choices = options.map(text => ({ text }))
const lines = (...rows: unknown[]) => rows.map(row => typeof row === 'string' ? row : JSON.stringify(row)).join('\n')
const csv = (...rows: string[][]) => rows.map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')

t.test('text banks', async t => {
  const { imported, send, ended } = await startBanks(t)
  const answers = async (rows: unknown[], options?: object) => {
    const { record, rows: told, items } = await imported(JSON.stringify(rows), options)
    return { record, told: told.map(({ state, notes }) => [state, ...notes.map(({ code }) => code)].join(' ')), at: items.map(({ answerIndex }) => answerIndex) }
  }

  t.test('K-MetBench: wordings, images kept for implicit options, slices, the question as it was', async t => {
    const { record, items: [first, second] } = await imported(JSON.stringify([
      {
        id: 7, question: { text: '대한민국의 장마는?', image: null }, choices, answer: 4, source: '2019-1', source_id: 3, question_original: '우리나라 장마는 무엇인가?', rationale: '정체전선이다.', part: 4, multimodal: false, korean: true, question_implicit: '우리나라의 장마는?', choices_implicit: []
      },
      { id: 8, question: { text: '다음 중 옳은 것은?' }, choices, answer: 1, part: 1, multimodal: true, korean: false, rationale: '' }
    ]))
    t.match(record, { format: 'kmetbench', answerBase: 1, answerBaseBy: 'detected' })
    t.match(first, {
      question: '우리나라의 장마는?',
      explicitWording: { question: '대한민국의 장마는?' },
      originalQuestion: '우리나라 장마는 무엇인가?',
      rationale: '정체전선이다.',
      answerIndex: 3,
      slices: { part: '4', modality: 'text', region: 'korean', reasoning: 'yes', session: '2019-1' }
    })
    t.equal(first!.explicitWording!.choices, undefined)
    t.match(second, { question: '다음 중 옳은 것은?', slices: { part: '1', modality: 'multimodal', region: 'general', reasoning: 'no' } })
    t.equal(second!.explicitWording, undefined)
    t.ok(record.sliceCounts.some(each => each.dimension === 'part' && each.value === '4' && each.items === 1))
  })

  t.test('a letter or number that is another one\'s in the text of the options is rejected', async t => {
    const rows = (answer: unknown, ...options: string[]) => ({ id: `${String(answer)} ${options.join()}`, question: { text: '다음 중?' }, choices: options.map(text => ({ text })), answer })
    const { told, at } = await answers([
      rows('A', 'B. 비', 'A. 눈'), rows('A', 'A. 비', 'B. 눈'), rows('②', '② 비', '① 눈'), rows('①', '① 비', '② 눈'), rows('B', 'A. 비', '눈')
    ])
    t.strictSame(told, ['rejected answer-ambiguous', 'accepted', 'rejected answer-ambiguous', 'accepted', 'accepted'])
    t.strictSame(at, [0, 0, 1])
  })

  t.test('what is no tag stays, though the text has tags', async t => {
    const { items } = await imported(JSON.stringify([{ id: 1, question: { text: '<b>다음</b> 중 $x<y$ 이고 a <b and y>z 인 것은? <code>p</code><i class="x">q</i>' }, choices, answer: 4 }]))
    t.equal(items[0]!.question, '다음 중 $x<y$ 이고 a <b and y>z 인 것은? pq')
  })

  t.test('a 0 tells that answers count from 0, as many as the options that they count from 1, and both that nobody knows', async t => {
    const rows = (...given: unknown[]) => given.map((answer, id) => ({ id, question: { text: `다음 중? ${id}` }, choices, answer }))
    t.match(await answers(rows(0, 1, 3)), { record: { answerBase: 0, answerBaseBy: 'detected' }, at: [0, 1, 3] })
    t.match(await answers(rows(4, 1, 3)), { record: { answerBase: 1, answerBaseBy: 'detected' }, at: [3, 0, 2] })
    const mixed = await answers(rows(0, 4, 2, '③', 'B', '한랭전선'))
    t.match(mixed.record, { state: 'succeeded', answerBase: null, answerBaseBy: 'mixed', itemCount: 3 })
    t.strictSame(mixed.told.slice(0, 3), Array(3).fill('rejected answer-base-mixed'))
    t.strictSame(mixed.at, [2, 1, 0], 'what is no bare number is sure')
    t.match(await answers(rows(0, 4, 2), { answerBase: 1 }), { told: ['rejected answer-out-of-range', 'accepted', 'accepted'], at: [3, 1] })
    t.match(await answers(rows('①', '2번', 'c', 'D.', '정체전선', '(A)')), { record: { answerBase: null, answerBaseBy: 'none' }, at: [0, 1, 2, 3, 3, 0] })
  })

  t.test('an answer that is no option, two options or none is told and never guessed', async t => {
    const row = (answer: unknown, given: unknown = choices) => ({ question: { text: '다음 중?' }, choices: given, answer })
    const numbers = ['2', '3', '4', '1']
    const { told } = await answers([
      row('E'), row(''), row(null), row('1, 3'), row([1, 2]), row([2]), row('안개'), row('B. 온난전선'), row('B. 한랭전선'), row(2.5), row('2', numbers), row('안개', ['안개', '안개', '비']), row('비', ['안개', '안개', '비'])
    ], { answerBase: 1 })
    t.strictSame(told, [
      'rejected answer-out-of-range', 'rejected answer-missing', 'rejected answer-missing', 'rejected answer-multiple', 'rejected answer-multiple', 'accepted',
      'rejected answer-not-an-option', 'accepted', 'rejected answer-ambiguous', 'rejected answer-not-an-option', 'rejected answer-ambiguous',
      'rejected duplicate-answers', 'flagged duplicate-choices'
    ])
  })

  t.test('2 to 20 options are taken; fewer, more, empty ones and no list are told', async t => {
    const row = (given: unknown, answer: unknown = 'A') => ({ question: { text: '다음 중?' }, choices: given, answer })
    const many = (count: number) => Array.from({ length: count }, (_, at) => `보기 ${at}`)
    const { told } = await answers([row(many(2)), row(many(10)), row(many(20)), row(many(21)), row(many(1)), row(['가', '', '다']), row('가/나'), row([['가'], '나']), row([1, 2.5, true])])
    t.strictSame(told, ['accepted', 'accepted', 'accepted', 'rejected choices-too-many', 'rejected choices-too-few', 'rejected choice-empty', 'rejected choices-unreadable', 'rejected choice-unreadable', 'accepted'])
  })

  t.test('HTML goes and what it shows stays; LaTeX stays; nothing runs', async t => {
    const row = (question: string) => ({ question, choices: options, answer: 'A' })
    const { rows, items } = await imported(lines(
      row('<p>H<sub>2</sub>O at 10<sup>-3</sup>&nbsp;m &lt; 5?</p><script>alert(1)</script>'), row('<b onclick="x()">Which?</b>'), row('When $a < b$ and c > d?'), row('What is \\frac{a}{b}?'),
      row('What is \\frac{a}{b?'), row('\\input{/etc/passwd} what?'), row('=cmd|\' /C calc\'!A0'), row('-5 or +3?'), row('A &amp; B?'), row('Is x <b and y> 3?')
    ))
    t.strictSame(told(rows), [
      'flagged html-removed active-content', 'flagged html-removed active-content', 'accepted', 'accepted', 'flagged latex-unbalanced', 'flagged latex-command', 'flagged formula-text', 'accepted', 'repaired html-removed', 'accepted'
    ])
    t.equal(items[0]!.question, 'H₂O at 10⁻³ m < 5?')
    t.equal(items[1]!.question, 'Which?')
    t.equal(items[2]!.question, 'When $a < b$ and c > d?')
    t.equal(items[6]!.question, '=cmd|\' /C calc\'!A0')
    t.equal(items[8]!.question, 'A & B?')
    t.equal(items[9]!.question, 'Is x <b and y> 3?')
  })

  t.test('tags nested as deep as a text is long hold nothing up', async t => {
    const { rows } = await imported(lines({ question: `${'<b><sub>'.repeat(2_000)}deep?`, choices: options, answer: 'A' }))
    t.equal(rows.length, 1)
  })

  t.test('one bad row of JSON is told, and the others are read', async t => {
    const good = JSON.stringify({ id: 1, question: '무엇?', choices: options, answer: 'A' })
    const text = `[${good}, {"id": 2, "id": 3}, {"id": 4, "question": "\\ud800 무엇?", "choices": ["가","나"], "answer": "A"}, {"id": 5, "question": "무엇?", "choices": ["가","나"], "answer": NaN}, 7, {"id": 6, "__proto__": {"x": 1}}, {"id": 8, "question": "무엇?", "choices": ["가","나"], "answer": "B", "weight": NaN}, {"id": 9, "question": "cut`
    const { record, rows } = await imported(text)
    t.equal(record.state, 'succeeded')
    t.strictSame(told(rows), [
      'accepted', 'rejected row-unreadable', 'flagged damaged-text', 'rejected not-a-number answer-missing', 'rejected row-unreadable', 'rejected row-unreadable', 'repaired not-a-number', 'rejected row-cut'
    ])
    t.match(rows[7]!.raw, /cut/)
    t.equal(({} as any).x, undefined)
    const jsonl = await imported(lines(good, '{"id": 2,', '', good.replace('"id":1', '"id":3')))
    t.strictSame(told(jsonl.rows), ['accepted', 'rejected row-unreadable', 'accepted'])
  })

  t.test('rows under one id: the same again is rejected, another is for a person; none is lost', async t => {
    const row = (id: unknown, question: string) => ({ id, question, choices: options, answer: 'A' })
    const { record, rows } = await imported(lines(row('a', '무엇?'), row('a', '무엇?'), row('a', '어디?'), row('b', '무엇?')))
    t.strictSame(told(rows), ['accepted', 'rejected duplicate-row', 'flagged duplicate-id', 'accepted'])
    t.equal(record.rowCount, 4)
  })

  t.test('what looks like personal data is flagged and not repeated', async t => {
    const row = (question: string) => ({ question, choices: options, answer: 'A' })
    const { rows } = await imported(lines(
      row('Write to kim@example.org?'), row('Call 010-1234-5678?'), row('주민등록번호 900101-1234567?'), row('Card 4111 1111 1111 1111?'), row('From 2010-1234 to 900132-1234567?'), row('1013-1015 hPa, 36.5 m?')
    ))
    t.strictSame(told(rows), [...Array<string>(4).fill('flagged pii-suspected'), 'accepted', 'accepted'])
    t.notMatch(JSON.stringify(rows), /kim@|5678|1234567|4111/)
  })

  t.test('CSV: BOM, tabs, semicolons, a list in a cell, columns of options, mapping, rows too short', async t => {
    const { items, rows } = await imported(`\uFEFF${csv(['번호', '문제', '보기1', '보기2', '보기3', '정답'], ['1', '맑은 날의 "하늘"?', '파랑', '빨강', '', '1'], ['2', '눈의 색?', '검정', '하양', '노랑', '3'], ['3', '짧다'])}`)
    t.match(items, [{ question: '맑은 날의 "하늘"?', choices: [{ text: '파랑' }, { text: '빨강' }], answerIndex: 0 }, { answerIndex: 2 }])
    t.strictSame(told(rows), ['accepted', 'accepted', 'rejected other-columns'])
    for (const delimiter of ['\t', ';']) {
      const { items } = await imported(['question', 'choices', 'answer'].join(delimiter) + '\n' + ['Hot?', '["yes","no"]'.replaceAll('"', '""').replace(/^.*$/, '"$&"'), 'no'].join(delimiter))
      t.match(items, [{ choices: [{ text: 'yes' }, { text: 'no' }], answerIndex: 1 }])
    }
    const mapped = await imported(csv(['Q', 'one', 'two', 'key', 'field.x'], ['Hot?', 'yes it is', 'not', 'not', 'summer']), { mapping: { question: 'Q', choices: ['one', 'two'], answer: 'key', slices: [{ dimension: 'season', column: 'field.x' }] } })
    t.match(mapped.items, [{ answerIndex: 1, slices: { season: 'summer' } }])
    const missing = await send(csv(['Q', 'A'], ['x', 'y']), { mapping: { question: 'Q', answer: 'nope' } })
    t.match((await ended(missing.body.id)).record, { state: 'failed', problems: [{ type: /invalid-request$/, detail: /"nope".*"Q", "A"/ }] })
    const unknown = await send(csv(['x', 'y'], ['1', '2']))
    t.match((await ended(unknown.body.id)).record, { state: 'failed', problems: [{ type: /not-a-bank$/, detail: /"x", "y"/ }] })
  })

  t.test('EUC-KR and UTF-16 are told by the bytes; what is neither is refused', async t => {
    // "문제,A,B,정답\n비?,예,눈,B\n" as code page 949 has it.
    const korean = Buffer.concat([Buffer.from('b9aec1a6', 'hex'), Buffer.from(',A,B,'), Buffer.from('c1a4b4e4', 'hex'), Buffer.from('\n'), Buffer.from('c8e5', 'hex'), Buffer.from('?,'), Buffer.from('bfb9', 'hex'), Buffer.from(','), Buffer.from('b4ab', 'hex'), Buffer.from(',B\n')])
    const { items } = await imported(korean)
    t.match(items, [{ choices: [{ text: '예' }, { text: '눈' }], answerIndex: 1 }])
    const wide = Buffer.from('\uFEFF문제,A,B,정답\n비?,예,눈,B\n', 'utf16le')
    t.match((await imported(wide)).items, [{ question: '비?', choices: [{ text: '예' }, { text: '눈' }] }])
    const { body } = await send(Buffer.concat([Buffer.from('question,A,B,answer\nx'), Buffer.from([0xFF, 0xFF, 0x80])]))
    t.match((await ended(body.id)).record, { state: 'failed', problems: [{ type: /bank-damaged$/, detail: /encoding/ }] })
  })
})
