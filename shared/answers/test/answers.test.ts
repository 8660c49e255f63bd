import { readFileSync } from 'node:fs'
import t from 'tap'
import { extractionAdapters, kmetbenchCases, probeCases } from '../../../scripts/golden/extraction.ts'
import { judgementAsKmetbench, rationaleAsKmetbench, readAsKmetbench } from '../kmetbench.ts'
import { readLeniently, type Question } from '../lenient.ts'
import { descriptiveAnswer, outcomeOf, readReply } from '../outcome.ts'
import { readStrictly } from '../strict.ts'
import { binaryReplies, choiceReplies } from './replies.ts'

const corpus = process.env.VIVA_CORPUS
const choice: Question = {
  kind: 'choice', choices: ['red apple', 'green pear', 'yellow banana', 'blue plum']
}
const binary: Question = { kind: 'binary' }

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

  t.test('reads a megabyte, the last commitment of it', async t => {
    const reply = 'The answer is (A), not B. <b>정답은</b> ②가 아니라 ③. \\boxed{D}\n'.repeat(19_000)
    t.ok(reply.length > 1_000_000)
    t.match(readLeniently(reply, choice), { label: 'D', alternatives: ['A', 'C'] })
    t.match(readStrictly(`${reply}Answer: B`, choice), { label: 'B' })
    t.match(readAsKmetbench(reply, 4), { index: null })
  })

  t.test('takes 20,000 characters of anything in time that grows with their number', async t => {
    const hostile = [' ', 'answer is ', '\\boxed{', '(', 'A, ', '<think>', 'not B ', 'green pear ', '"',
      'the answer to ', '가', '\u0301', 'yes no ', '(A) (B) ', '_', 'B\n', '<|channel|>', '\ud800', '[A]', '①', '정답 ', '므로 ',
      '1번이 정답 ', '"choice": ', '<b x=', '~~', '\\n', '```{', '{', '답  ']
    for (const piece of hostile) {
      const reply = piece.repeat(Math.ceil(20_000 / piece.length))
      const start = process.cpuUsage()
      for (const question of [choice, binary]) {
        readLeniently(reply, question)
        readStrictly(reply, question)
      }
      readAsKmetbench(reply, 4)
      t.ok(process.cpuUsage(start).user < 2_000_000, JSON.stringify(piece))
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

t.test('reading as the K-MetBench toolkit does', async t => {
  t.test('agrees with it on every recorded string', {
    skip: corpus === undefined && 'VIVA_CORPUS is not set'
  }, async t => {
    const file = JSON.parse(readFileSync(`${corpus}/golden/kmetbench_extraction_cases.json`, 'utf8'))
    const wrong = kmetbenchCases(file).filter(golden => extractionAdapters[golden.kind]!(golden) !== null)
    t.same(wrong.map(({ id }) => id), [])
  })

  t.test('says by which rule and from which code points, in the reply with its thoughts', async t => {
    t.same(readAsKmetbench('😀<think>정답 1</think> 😀 정답은 3번', 4), {
      label: 'C', index: 2, rule: 'kmetbench-answer-ko', span: [27, 28], alternatives: []
    })
    t.match(readAsKmetbench('{"정답": "② 2"}', 4), { label: 'B', index: 1, rule: 'kmetbench-json', span: [0, 13] })
    t.match(readAsKmetbench('', 4), { label: null, reason: 'empty' })
  })

  t.test('keeps a number that names no option, and says so', async t => {
    t.match(readAsKmetbench('{"정답": 7}', 4), { label: '7', index: 6, violation: 'out-of-range' })
    t.match(readAsKmetbench('{"정답": 0}', 4), { label: '0', index: -1, violation: 'out-of-range' })
  })

  t.test('reads digits, numbers and blanks as Python does', async t => {
    for (const value of ['"٣"', '"𝟛"', '3.9', '[[3]]', '{"x": "3번"}', 'NaN, "정답": 3', '"a", "정답": 3,']) {
      t.equal(readAsKmetbench(`{"정답": ${value}}`, 4).index, 2, value)
    }
    t.equal(readAsKmetbench('정답\x1c:\x853', 4).index, 2)
    t.equal(readAsKmetbench(`{"정답": ${'['.repeat(500_000)}`, 4).index, null)
  })

  t.test('takes rationale and scores off JSON, unchecked', async t => {
    t.equal(rationaleAsKmetbench('```json\n{"생성된_추론_근거": " 비 ", "정답": 1}\n```'), '비')
    t.equal(rationaleAsKmetbench('비'), '')
    t.match(judgementAsKmetbench('{"평가_점수": {"정확성": 9}}'), { factual: 9, depth: -1, total: -1 })
  })
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

t.test('a letter alone is a label, though another option has it for its text; a number is the option that has it, unless it counts them', t => {
  const read = (reply: string, choices: readonly string[]) => {
    const { index, reason } = readLeniently(reply, { kind: 'choice', choices })
    return index ?? reason
  }
  const places = ['C', 'A', 'D', 'B']
  for (const [index, letter] of ['A', 'B', 'C', 'D'].entries()) {
    for (const reply of [`Answer: ${letter}`, `정답: ${letter}`, letter, `(${letter})`, `Answer: ${letter}. ${places[index]}`, `I take **${letter}**.\n\nAnswer: ${letter.toLowerCase()}`]) {
      t.equal(read(reply, places), index, reply)
    }
    t.equal(readStrictly(`Answer: ${letter}`, { kind: 'choice', choices: places }).index, index)
  }
  t.equal(read('Answer: A. B', places), 'multiple', 'a label with the text of another option')
  const numbers = ['3', '1', '4', '2']
  t.equal(read('Answer: 2', numbers), 3)
  t.equal(read('Answer: B', numbers), 1)
  t.equal(read('정답: 2번', numbers), 1)
  t.equal(read('Answer: x', ['y', 'x']), 1, 'a letter that labels none is a text')
  t.equal(read('Answer: A and B', ['A and B', 'A', 'B']), 0)
  t.end()
})
