import t from 'tap'
import { choiceOrder, namesChoice } from '../choice-order.ts'

const seeds = Array.from({ length: 30 }, (_, at) => `seed ${at}`)
const ordersOf = (choices: string[]) => seeds.map(seed => choiceOrder(choices, seed))
const asWritten = (order: number[]) => order.every((from, to) => from === to)

t.test('choices that name others keep the order in which they are named', async t => {
  for (const last of [
    'A and C', 'Neither A nor B', 'A+B', 'A.와 C.', 'AとB', 'A和B', 'Both (a) and (b)', 'only A', 'B only', 'Not A', 'All except B', 'All of the above except C',
    '①만 옳다', '①과 ③', '1 and 2', 'Options 1 and 2', '(1), (3)', '보기 1과 보기 2', '1번만 해당', '1번과 3번', '가와 나', 'ㄱ, ㄴ', 'I and II', 'The first two'
  ]) {
    t.ok(ordersOf(['rain', 'snow', 'hail', last]).every(asWritten), last)
  }
})

t.test('a choice that speaks of those above stays behind them', async t => {
  for (const last of ['All of the above', '위 모두', '위의 셋 모두', '상기 모두', '앞의 세 가지 모두', '모두', '해당 사항 없음', '上記すべて', 'すべて正しい', '以上都是', 'كل ما سبق', 'Todas son correctas', 'Alle Antworten']) {
    const orders = ordersOf(['rain', 'snow', 'hail', last])
    t.ok(orders.every(order => order[3] === 3) && !orders.every(asWritten), last)
  }
})

t.test('what only counts, or lists the signs of a question in every choice, is shuffled', async t => {
  for (const choices of [['1, 2', '1, 3', '2, 3', '2, 4'], ['ㄱ, ㄴ', 'ㄴ, ㄷ', 'ㄱ, ㄷ', 'ㄷ, ㄹ'], ['10 hPa', '20 hPa', '30 hPa', '40 hPa'], ['Vitamin A', 'Iron', 'Zinc', 'Salt']]) {
    t.notOk(ordersOf(choices).every(asWritten), choices.join(' | '))
  }
})

t.test('a text that calls a choice by its number is known', async t => {
  for (const text of ['정답은 ③이다', '답은 2', '2번은 틀렸다', 'The answer is B.', 'Option 3 is wrong']) t.ok(namesChoice(text), text)
  for (const text of ['기온이 3 ℃ 내려간다.', '답은 3.5 km 이다', 'The answer is a cold front.', 'It passes 3 times.']) t.notOk(namesChoice(text), text)
})
