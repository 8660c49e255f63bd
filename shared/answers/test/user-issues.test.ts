/** What users of other harnesses reported that their extractors got wrong, one row each. */
import t from 'tap'
import { readLeniently, type Question } from '../lenient.ts'
import { readStrictly } from '../strict.ts'

const fruit: Question = { kind: 'choice', choices: ['red apple', 'green pear', 'yellow banana', 'blue plum'] }
const numbers: Question = { kind: 'choice', choices: ['10', '11', '12', '13'] }
const above: Question = { kind: 'choice', choices: ['red apple', 'green pear', 'Some of these', 'None of the above'] }
const binary: Question = { kind: 'binary' }

interface Row { issue: string, question: Question, reply: string, label: string | null, reason?: string }

const thought = 'The answer is A? No, apples are red. So the answer is C? No.'
const longWay = 'First, apples are red. Second, bananas are yellow. Plums are blue, and A, C and D are out.\n\n'

const rows: Row[] = [
  { issue: 'lm-evaluation-harness#2279', question: fruit, reply: ' B. green pear\n\n', label: 'B' },
  { issue: 'lm-evaluation-harness#2905', question: fruit, reply: 'So the answer is (B) green pear.', label: 'B' },
  { issue: 'lm-evaluation-harness#2237', question: fruit, reply: 'The answer is (A).', label: 'A' },
  { issue: 'lm-evaluation-harness#3103', question: fruit, reply: '정답: C', label: 'C' },
  { issue: 'lm-evaluation-harness#3879', question: fruit, reply: 'Conclusion: (B). Eliminated: (A), (C), (D).', label: 'B' },
  { issue: 'lm-evaluation-harness#4188', question: fruit, reply: 'It is a question of a taste.', label: null, reason: 'unparsed' },
  { issue: 'lm-evaluation-harness#1159', question: fruit, reply: 'I would go with b', label: 'B' },
  { issue: 'inspect_ai#721', question: fruit, reply: `${longWay}ANSWER: B`, label: 'B' },
  { issue: 'inspect_ai#2216', question: fruit, reply: 'ANSWER: None of the above', label: null, reason: 'unparsed' },
  { issue: 'inspect_ai#2216', question: above, reply: 'ANSWER: None of the above', label: 'D' },
  { issue: 'inspect_ai#5145', question: fruit, reply: 'ANSWER: $B$', label: 'B' },
  { issue: 'inspect_ai#4835', question: fruit, reply: 'ANSWER: A, B, and C', label: null, reason: 'multiple' },
  { issue: 'inspect_ai#5323', question: fruit, reply: 'ANSWER: F', label: null, reason: 'out-of-range' },
  { issue: 'lighteval#998', question: fruit, reply: 'Final Answer: The final answer is C. I hope it is correct.', label: 'C' },
  { issue: 'lighteval#829', question: fruit, reply: '**Answer**\n\nC', label: 'C' },
  { issue: 'lighteval#869', question: fruit, reply: `<think>${thought}</think>\n\nB`, label: 'B' },
  { issue: 'lighteval#513', question: fruit, reply: `<think>${thought}`, label: null, reason: 'unparsed' },
  { issue: 'VLMEvalKit#73', question: binary, reply: 'notice', label: null, reason: 'unparsed' },
  { issue: 'VLMEvalKit#1552', question: fruit, reply: `${longWay}That leaves B.`, label: 'B' },
  { issue: 'VLMEvalKit#1175', question: fruit, reply: 'Apples are red and plums are blue; B12 is a vitamin.', label: null, reason: 'unparsed' },
  { issue: 'VLMEvalKit#989', question: fruit, reply: `${thought}\n</think>\n\\boxed{B}`, label: 'B' },
  { issue: 'helm#2939', question: numbers, reply: 'C. 12', label: 'C' },
  { issue: 'helm#1816', question: numbers, reply: '12', label: 'C' },
  { issue: 'helm#1494', question: fruit, reply: 'A and B tie.', label: null, reason: 'multiple' },
  { issue: 'simple-evals#33', question: fruit, reply: 'Antwort: A passt nicht ganz.\n\nDie richtige Antwort ist B.', label: 'B' },
  { issue: 'openbench#348', question: fruit, reply: 'It seems that', label: null, reason: 'unparsed' },
  { issue: 'opencompass#1933', question: fruit, reply: "Let's think step by step.", label: null, reason: 'unparsed' }
]

for (const { issue, question, reply, label, reason } of rows) {
  t.test(`${issue}: ${JSON.stringify(reply.slice(-50))} is ${label ?? reason}`, async t => {
    const found = readLeniently(reply, question)
    t.equal(found.label, label)
    t.equal(found.reason, reason)
    t.equal(found.rule === null, label === null, 'a rule is named exactly where there is an answer')
    // The reader who wants the format alone has it beside.
    t.equal(readStrictly(reply, question).label, null)
  })
}
