import { readLeniently } from '../shared/answers/lenient.ts'
import { readStrictly } from '../shared/answers/strict.ts'
const choices = ['red apple', 'green pear', 'yellow banana', 'blue plum']
const c: [string, string|null][] = [
['Answer: A', 'A'], ['Answer: C.', 'C'], ['the answer is c', 'C'], ['The answer is a pear.', null], ['The answer is a green pear.', 'B'],
['I think the answer is B, not A.', 'B'], ['The answer is not B.', null], ["I don't think the answer is B", null], ['The answer is B? No, it must be C. Answer: C', 'C'],
['Answer: B or C', null], ['Answer: A, B', null], ['Answer: B and C', null], ['Answer: B, a green pear', 'B'], ['Answer: A) green pear', null],
['A. red apple\nB. green pear\nC. yellow banana\nD. blue plum', null], ['A. red apple\nB. green pear\nC. yellow banana\nD. blue plum\n\nAnswer: D', 'D'],
['B) green pear\nbecause pears are green', 'B'], ['$\\boxed{\\text{C}}$', 'C'], ['{"answer": "B"}', 'B'], ['```json\n{"answer": "\\\\boxed{B}"}\n```','B'],
['<answer>D</answer>', 'D'], ['정답은 (가)입니다', 'A'], ['답은 ㄴ', 'B'], ['③번', 'C'], ['3번', 'C'], ['B가 정답이다', 'B'], ['B는 정답이 아니다', null], ['정답: 5', null],
['答案是C', 'C'], ['答えはBです', 'B'], ['Die Antwort ist B.', 'B'], ['La respuesta correcta es C', 'C'], ['I', null], ['a', 'A'], ['I would choose B', 'B'], ['I would not choose B', null],
['Option B is correct.', 'B'], ['B is correct.', 'B'], ['B is the correct answer', 'B'], ['A is incorrect, B is incorrect, C is incorrect.', null], ['Vitamin B is important for health.', null],
['The answer is 2.5', null], ['Answer: 2 mg', null], ['Answer: 2', 'B'], ['A pear is a fruit.', null], ['<think>unclosed Answer: B', null], ['foo</think>Answer: B', 'B'],
['Answer: None of the above', null], ['Answer: B\n\nActually, the answer is unknown.', null], ['neither green pear nor red apple, so blue plum', 'D'],
['Final Answer: The final answer is $\\boxed{D}$. I hope it is correct.', 'D'], ['**Answer:** C', 'C'], ['Answer:\nB', 'B'], ['The correct option is (D).', 'D'], ['Correct answer: D) blue plum', 'D'],
['It cannot be A. It cannot be C. B', null], ['Hence, B.', 'B'], ['So A is wrong.', null], ['Answer is B', 'B'], ['ANSWER B', null], ["Let's think. D'accord.", null],
['My choice: d', 'D'], ['I select option (a).', 'A'], ['Eliminate A, C and D. That leaves B.', 'B'], ['The best answer is C because it is yellow', 'C'], ['Answer: A because it is red', 'A'], ['Answer: I do not know', null],
['Answer: X', null], ['B', 'B'], ['(b)', 'B'], ['b)', 'B'], ['[B]', 'B'], ['"B"', 'B'], ['선택: 라', 'D'], ['정답은 나', 'B'], ['정답 나', 'B'], ['정답은 나무입니다', null],
['B\n\nExplanation: A is the wrong choice since it is red.', 'B'], ['Answer: C\n\nExplanation: (A) and (B) are wrong.', 'C'], ['The answer to the question is: B', 'B'], ['The answer would be D', 'D'],
]
let bad = 0
for (const [t, w] of c) { const r = readLeniently(t, { kind: 'choice', choices }); if (r.label !== w) { bad++; console.log('CHOICE', JSON.stringify(t), 'want', w, JSON.stringify(r)) } else if (r.span) { const s=[...t].slice(r.span[0], r.span[1]).join(''); if (s.length>14||s==='') console.log('span', JSON.stringify(t), s) } }
const b: [string, string|null][] = [
['Yes', 'Yes'], ['no.', 'No'], ['Answer: Yes', 'Yes'], ['Answer: No', 'No'], ['**Answer:** no', 'No'], ['Yes, because', 'Yes'], ['No evidence suggests this.', null], ['No, it does not.', 'No'], ['No it does not', 'No'],
['Yes and no', null], ['예', 'Yes'], ['네, 맞습니다', 'Yes'], ['아니오', 'No'], ['정답: 예', 'Yes'], ['예를 들어 그렇다', null], ['True', 'Yes'], ['The statement is false.', 'No'], ['The statement is not true.', null], ['The answer is yes? no', null],
['notice', null], ['Answer: Not sure', null], ['I cannot answer.', null], ['The answer is no', 'No'], ['Therefore, the answer is Yes.', 'Yes'], ['Answer: Yes\nWait. Answer: No', 'No'], ['\\boxed{Yes}', 'Yes'], ['Yes/No', null], ['Answer: Yes or No', null], ['Nobody knows', null],
['No doubt: yes', null], ['So yes.', 'Yes'], ['The paper reports X.\nYes', 'Yes'], ['Answer: 아니오', 'No'], ['아니요, 그렇지 않습니다.', 'No'], ['答案：是', 'Yes'], ['Yes. However...\nNo, it is unclear.', null], ['{"answer": "No"}', 'No'], ['false', 'No'],['Answer: Yes, it is not wrong', 'Yes'],['Answer: No, it is not', 'No'],
]
for (const [t, w] of b) { const r = readLeniently(t, { kind: 'binary' }); if (r.label !== w) { bad++; console.log('BINARY', JSON.stringify(t), 'want', w, JSON.stringify(r)) } }
console.log(c.length + b.length, 'bad', bad)
for (const t of ['Answer: Yes','blah\nAnswer: No  \n\n','answer: yes','**Answer: Yes**','Answer: Yes.','Answer: Yes, because','Answer: Maybe','Yes','','<think>x','<think>x</think>Answer: Yes','Answer: Yes\nThat is all.','Answer:Yes']) { const r=readStrictly(t,{kind:'binary'}); console.log(JSON.stringify(t), r.label, r.violation, r.span) }
for (const t of ['Answer: B','Answer: E','Answer: (B)','ANSWER: B','Answer: b','Answer: $B$']) { const r=readStrictly(t,{kind:'choice',choices}); console.log(JSON.stringify(t), r.label, r.violation, r.span) }
for (const s of [' '.repeat(1e6), 'answer is '.repeat(1e5), '\\boxed{'.repeat(1e5), '('.repeat(1e6), 'A, '.repeat(3e5), '<think>'.repeat(1e5), 'not '.repeat(2e5)+'B', 'green pear '.repeat(1e5), '"'.repeat(1e6), 'the answer to '.repeat(7e4), '가'.repeat(1e6), 'e\u0301'.repeat(3e5), 'e'+'\u0301'.repeat(1e6), 'yes no '.repeat(1e5), '(A) (B) '.repeat(1e5), '*'.repeat(1e6), '_'.repeat(1e6), 'B\n'.repeat(3e5), '<|channel|>'.repeat(9e4), '\ud800'.repeat(1e6)]) {
  const t0 = performance.now(); readLeniently(s, {kind:'choice',choices}); const t1=performance.now(); readLeniently(s, {kind:'binary'}); readStrictly(s,{kind:'choice',choices}); console.log(JSON.stringify(s.slice(0,14)), s.length, Math.round(t1-t0), Math.round(performance.now()-t1))
}
