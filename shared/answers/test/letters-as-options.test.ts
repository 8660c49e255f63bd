/** Options whose texts look like labels: the letter asked for is never read as another option's text. */
import t from 'tap'
import { readLeniently, type Question } from '../lenient.ts'
import { readStrictly } from '../strict.ts'

const of = (...choices: string[]): Question => ({ kind: 'choice', choices })
const read = (reply: string, question: Question) => readLeniently(reply, question).label

t.test('a letter is read as the letter where options are letters in another order', async t => {
  for (const question of [
    of('B', 'D', 'A', 'C'), of('b', 'd', 'a', 'c'), of('B.', 'D.', 'A.', 'C.'), of('(B)', '(D)', '(A)', '(C)'),
    of('Option B', 'Option D', 'Option A', 'Option C')
  ]) {
    for (const letter of ['A', 'B', 'C', 'D']) {
      const said = [
        `Answer: ${letter}`, `정답: ${letter}`, `정답은 ${letter}입니다.`, letter, `(${letter})`, `**Answer: ${letter}**`,
        `\\boxed{${letter}}`, `It turns.\n\nThe answer is ${letter}.`, `Answer: Option ${letter}`
      ]
      for (const reply of said) t.equal(read(reply, question), letter, `${JSON.stringify(question)} ${reply}`)
      t.equal(readStrictly(`Answer: ${letter}`, question).label, letter, 'both readings agree')
    }
  }
})

t.test('behind its letter the text of an option stays a text', async t => {
  const question = of('B', 'D', 'A', 'C')
  t.equal(read('Answer: A. B', question), 'A')
  t.equal(read('It rises.\nA. B', question), 'A', 'a last line of letter and text')
  t.equal(read('Answer: A. D', question), null, 'the text of another option')
})

t.test('a letter that no option has is a text', async t => {
  t.equal(read('Answer: X', of('Y', 'X')), 'B')
  t.equal(read('Answer: D', of('C', 'D')), 'B')
})

t.test('of options that are circled numbers a circled number is the text, of others the label', async t => {
  t.equal(read('정답: ②', of('③', '①', '④', '②')), 'D')
  t.equal(read('②', of('③', '①', '④', '②')), 'D')
  t.equal(read('정답: ②', of('3', '1', '4', '2')), 'B')
})
