import { readFileSync } from 'node:fs'
import t from 'tap'
import { extractionAdapters, probeCases } from '../../../scripts/golden/extraction.ts'
import { readLeniently, type Question } from '../lenient.ts'
import { descriptiveAnswer, outcomeOf, readReply } from '../outcome.ts'
import { readStrictly } from '../strict.ts'

const corpus = process.env.VIVA_CORPUS
const choice: Question = {
  kind: 'choice', choices: ['red apple', 'green pear', 'yellow banana', 'blue plum']
}
const binary: Question = { kind: 'binary' }

const choiceReplies: [reply: string, label: string | null][] = [
  ['Answer: A', 'A'],
  ['Answer: C.', 'C'],
  ['the answer is c', 'C'],
  ['The answer is a pear.', null],
  ['The answer is a green pear.', 'B'],
  ['I think the answer is B, not A.', 'B'],
  ['The answer is not B.', null],
  ["I don't think the answer is B", null],
  ['The answer is B? No, it must be C. Answer: C', 'C'],
  ['Answer: B or C', null],
  ['Answer: A, B', null],
  ['Answer: B and C', null],
  ['Answer: B, a green pear', 'B'],
  ['Answer: A) green pear', null],
  ['A. red apple\nB. green pear\nC. yellow banana\nD. blue plum', null],
  ['A. red apple\nB. green pear\nC. yellow banana\nD. blue plum\n\nAnswer: D', 'D'],
  ['B) green pear\nbecause pears are green', 'B'],
  ['$\\boxed{\\text{C}}$', 'C'],
  ['{"answer": "B"}', 'B'],
  ['```json\n{"answer": "\\\\boxed{B}"}\n```', 'B'],
  ['<answer>D</answer>', 'D'],
  ['정답은 (가)입니다', 'A'],
  ['답은 ㄴ', 'B'],
  ['③번', 'C'],
  ['3번', 'C'],
  ['B가 정답이다', 'B'],
  ['B는 정답이 아니다', null],
  ['정답: 5', null],
  ['答案是C', 'C'],
  ['答えはBです', 'B'],
  ['Die Antwort ist B.', 'B'],
  ['La respuesta correcta es C', 'C'],
  ['I', null],
  ['a', 'A'],
  ['I would choose B', 'B'],
  ['I would not choose B', null],
  ['Option B is correct.', 'B'],
  ['B is correct.', 'B'],
  ['B is the correct answer', 'B'],
  ['A is incorrect, B is incorrect, C is incorrect.', null],
  ['Vitamin B is important for health.', null],
  ['The answer is 2.5', null],
  ['Answer: 2 mg', null],
  ['Answer: 2', 'B'],
  ['A pear is a fruit.', null],
  ['<think>unclosed Answer: B', null],
  ['foo</think>Answer: B', 'B'],
  ['Answer: None of the above', null],
  ['Answer: B\n\nActually, the answer is unknown.', null],
  ['neither green pear nor red apple, so blue plum', 'D'],
  ['Final Answer: The final answer is $\\boxed{D}$. I hope it is correct.', 'D'],
  ['**Answer:** C', 'C'],
  ['Answer:\nB', 'B'],
  ['The correct option is (D).', 'D'],
  ['Correct answer: D) blue plum', 'D'],
  ['It cannot be A. It cannot be C. B', null],
  ['Hence, B.', 'B'],
  ['So A is wrong.', null],
  ['Answer is B', 'B'],
  ['ANSWER B', 'B'],
  ["Let's think. D'accord.", null],
  ['My choice: d', 'D'],
  ['I select option (a).', 'A'],
  ['Eliminate A, C and D. That leaves B.', 'B'],
  ['The best answer is C because it is yellow', 'C'],
  ['Answer: A because it is red', 'A'],
  ['Answer: I do not know', null],
  ['Answer: X', null],
  ['B', 'B'],
  ['(b)', 'B'],
  ['b)', 'B'],
  ['[B]', 'B'],
  ['"B"', 'B'],
  ['선택: 라', 'D'],
  ['정답은 나', 'B'],
  ['정답 나', 'B'],
  ['정답은 나무입니다', null],
  ['B\n\nExplanation: A is the wrong choice since it is red.', 'B'],
  ['Answer: C\n\nExplanation: (A) and (B) are wrong.', 'C'],
  ['The answer to the question is: B', 'B'],
  ['The answer would be D', 'D']
]

const binaryReplies: [reply: string, label: string | null][] = [
  ['Yes', 'Yes'],
  ['no.', 'No'],
  ['Answer: Yes', 'Yes'],
  ['Answer: No', 'No'],
  ['**Answer:** no', 'No'],
  ['Yes, because', 'Yes'],
  ['No evidence suggests this.', null],
  ['No, it does not.', 'No'],
  ['No it does not', 'No'],
  ['Yes and no', null],
  ['예', 'Yes'],
  ['네, 맞습니다', 'Yes'],
  ['아니오', 'No'],
  ['정답: 예', 'Yes'],
  ['예를 들어 그렇다', null],
  ['True', 'Yes'],
  ['The statement is false.', 'No'],
  ['The statement is not true.', null],
  ['The answer is yes? no', null],
  ['notice', null],
  ['Answer: Not sure', null],
  ['I cannot answer.', null],
  ['The answer is no', 'No'],
  ['Therefore, the answer is Yes.', 'Yes'],
  ['Answer: Yes\nWait. Answer: No', 'No'],
  ['\\boxed{Yes}', 'Yes'],
  ['Yes/No', null],
  ['Answer: Yes or No', null],
  ['Nobody knows', null],
  ['No doubt: yes', null],
  ['So yes.', 'Yes'],
  ['The paper reports X.\nYes', 'Yes'],
  ['Answer: 아니오', 'No'],
  ['아니요, 그렇지 않습니다.', 'No'],
  ['答案：是', 'Yes'],
  ['Yes. However...\nNo, it is unclear.', null],
  ['{"answer": "No"}', 'No'],
  ['false', 'No'],
  ['Answer: Yes, it is not wrong', 'Yes'],
  ['Answer: No, it is not', 'No']
]

t.test('lenient reading', async t => {
  for (const [question, replies] of [[choice, choiceReplies], [binary, binaryReplies]] as const) {
    t.test(`reads ${question.kind} replies as a careful person does, or not at all`, async t => {
      for (const [reply, label] of replies) {
        t.equal(readLeniently(reply, question).label, label, JSON.stringify(reply))
      }
    })
  }

  t.test('is right on every string of the probe', {
    skip: corpus === undefined && 'VIVA_CORPUS is not set'
  }, async t => {
    const file = JSON.parse(readFileSync(`${corpus}/golden/mcq_probe.json`, 'utf8'))
    const wrong = probeCases(file).filter(golden => extractionAdapters.lenient_choice!(golden) !== null)
    t.same(wrong.map(({ id }) => id), [])
  })

  t.test('says by which rule, from which code points, and what else was there', async t => {
    const reply = '😀 The answer is **(B)**; A was close. \ud83d Answer: C'
    t.same(readLeniently('😀 Answer: **(B)**', choice), {
      label: 'B', index: 1, rule: 'anchor-en', span: [13, 14], alternatives: []
    })
    const found = readLeniently(reply, choice)
    t.match(found, { label: 'C', index: 2, rule: 'anchor-en', alternatives: ['B'] })
    t.equal([...reply].slice(...found.span as [number, number]).join(''), 'C')
    const decomposed = '정답: 나'.normalize('NFD')
    const span = readLeniently(decomposed, choice).span as [number, number]
    t.equal([...decomposed].slice(...span).join('').normalize('NFC'), '나')
    t.equal(readLeniently('Ⓑ', choice).label, 'B')
    t.same(readLeniently('<think>A? B?</think>③', choice).span, [20, 21])
  })

  t.test('tells why there is no label', async t => {
    const reasons = [
      ['', 'empty'], [' \n\u200b', 'empty'], ['<think>Answer: B', 'unparsed'], ['Answer: E', 'out-of-range'],
      ['Answer: A or B', 'multiple'], ['I cannot answer this question.', 'refused'],
      ['죄송하지만 답변드릴 수 없습니다.', 'refused'], ['It depends.', 'unparsed']
    ] as const
    for (const [reply, reason] of reasons) {
      t.match(readLeniently(reply, choice), { label: null, index: null, span: null, reason }, reply)
    }
  })

  t.test('means the text of an option where options look like labels', async t => {
    const numbers: Question = { kind: 'choice', choices: ['2', '4', '6', '8'] }
    t.equal(readLeniently('Answer: 2', numbers).label, 'A')
    t.equal(readLeniently('4', numbers).label, 'B')
    const nested: Question = { kind: 'choice', choices: ['acid', 'amino acid', 'none of the above'] }
    t.equal(readLeniently('It is an amino acid.', nested).label, 'B')
    t.equal(readLeniently('None of the above', nested).label, 'C')
  })

  t.test('takes 50,000 characters of anything in time that grows with their number', async t => {
    const hostile = [' ', 'answer is ', '\\boxed{', '(', 'A, ', '<think>', 'not B ', 'green pear ', '"',
      'the answer to ', '가', '\u0301', 'yes no ', '(A) (B) ', '_', 'B\n', '<|channel|>', '\ud800']
    for (const piece of hostile) {
      const reply = piece.repeat(Math.ceil(50_000 / piece.length))
      const start = process.cpuUsage()
      for (const question of [choice, binary]) {
        readLeniently(reply, question)
        readStrictly(reply, question)
      }
      t.ok(process.cpuUsage(start).user < 3_000_000, JSON.stringify(piece))
    }
  })
})

t.test('strict reading takes the required last line only, and names what else it saw', async t => {
  t.match(readStrictly('Because.\nAnswer: Yes \n\n', binary), {
    label: 'Yes', index: 0, rule: 'answer-line', span: [17, 20]
  })
  t.match(readStrictly('<think>Answer: A</think>Answer: B', choice), { label: 'B', span: [32, 33] })
  const missed = [
    ['', 'empty'], ['<think>Answer: B', 'unclosed-reasoning'], ['B', 'no-answer-line'],
    ['Answer: B\nThat is all.', 'not-last-line'], ['Answer: E', 'out-of-range'],
    ['**Answer: B**', 'decorated'], ['Answer: (B)', 'decorated'], ['Answer: B.', 'decorated'],
    ['Answer: B, because', 'extra-text'], ['answer: b', 'wrong-case'], ['Answer: maybe', 'wrong-form']
  ] as const
  for (const [reply, violation] of missed) {
    t.match(readStrictly(reply, choice), { label: null, index: null, violation }, JSON.stringify(reply))
  }
})

t.test('outcomes', async t => {
  const outcome = (reply: string, finishReason: string | null = 'stop') =>
    readReply({ reply, finishReason, kind: 'choice' }, choice).outcome

  t.test('of a question with options', async t => {
    t.equal(outcome('Answer: B'), 'answered')
    t.equal(outcome('It depends.'), 'unparsable')
    t.equal(outcome('<think>Answer: B'), 'unparsable')
    t.equal(outcome("I'm sorry, but I can't help with that."), 'refused')
    t.equal(outcome('', 'content_filter'), 'refused')
  })

  t.test('a cut reply is truncated, whatever it said before it was cut', async t => {
    t.equal(outcome('Answer: B\nExplanation: the', 'length'), 'truncated')
    t.equal(outcome('I cannot answer that', 'length'), 'truncated')
    t.equal(outcome('Let us see. green pear', 'length'), 'truncated')
    t.equal(outcome('<think>Answer: B', 'length'), 'truncated')
    t.equal(outcome('', 'length'), 'truncated')
  })

  t.test('of a descriptive question', async t => {
    const described = (reply: string, finishReason = 'stop') =>
      outcomeOf({ reply, finishReason, kind: 'qa', lenient: null })
    t.equal(described('We cannot exclude an effect.'), 'answered')
    t.equal(described('<think>hm</think> '), 'unparsable')
    t.equal(described('I cannot answer this.'), 'refused')
    t.equal(described('The results', 'length'), 'truncated')
    t.equal(descriptiveAnswer('<think>A?</think>\nB rose.'), 'B rose.')
  })
})
