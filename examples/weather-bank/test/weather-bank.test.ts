import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { bankJson, bankRows, parts } from '../bank.ts'
import { charts } from '../charts/all-charts.ts'
import { choiceWinds, climate, readStation, readWind, veering } from '../charts/diagrams.ts'
import { toPngs } from '../charts/raster.ts'
import { lapseRates } from '../charts/soundings.ts'
import { formulas } from '../formulas.ts'
import type { Question } from '../question.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const rows = bankRows()
const questions = parts.flatMap(part => part.questions)

t.test('building again gives the committed bytes', async t => {
  t.ok(readFileSync(join(folder, 'weather-bank.json'), 'utf8') === bankJson(), 'run npm run sample-bank and commit what it wrote')
  t.same(readdirSync(join(folder, 'images')).sort(), Object.keys(charts).sort())
  const pngs = await toPngs(Object.values(charts))
  for (const [at, name] of Object.keys(charts).entries()) {
    const png = pngs[at]!
    t.ok(png.length <= 40_000, `${name} has ${png.length} bytes`)
    t.ok(Buffer.from(png).equals(readFileSync(join(folder, 'images', name))), name)
  }
})

t.test('the bank holds what its page says', async t => {
  t.ok(rows.length >= 60)
  t.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  t.equal(parts.length, 5)
  t.ok(parts.every(part => part.questions.length >= 12))
  const charted = rows.filter(({ question, choices }) =>
    question.image !== undefined || choices.some(({ image }) => image !== undefined))
  t.ok(charted.length >= 12)
  t.equal(rows.filter(({ choices }) => choices.every(({ image }) => image !== undefined)).length, 2, 'choices that are images')
  const sequences = rows.filter(({ question }) => question.images !== undefined)
  t.equal(sequences.length, 6)
  for (const { id, question } of sequences) {
    const times = question.images!.map(({ time }) => Date.parse(time))
    t.ok(times.length >= 3 && times.every((time, at) => at === 0 || time > times[at - 1]!), `the images of ${id} are in order`)
  }
  const regional = rows.filter(({ korean }) => korean)
  t.ok(regional.length >= 10)
  for (const { id, question, question_implicit: implicit } of regional) t.ok(implicit !== undefined && implicit !== question.text, `both wordings of ${id}`)
  t.ok(rows.filter(({ rationale }) => rationale !== '').length >= 12)
  t.ok(rows.every(({ licence }) => licence === 'Apache-2.0'))
})

t.test('every image is asked about, and nothing else is', async t => {
  const asked = rows.flatMap(({ question, choices }) =>
    [question.image, ...(question.images ?? []).map(({ image }) => image),
      ...choices.map(({ image }) => image)])
    .filter(image => image !== undefined)
  t.same([...new Set(asked)].sort(), Object.keys(charts).map(name => `images/${name}`).sort())
})

t.test('each picture of a question has words of its own, which do not name the right choice alone', async t => {
  const captions = rows.flatMap(({ question: { caption, images = [] } }) =>
    [...caption === undefined ? [] : [caption], ...images.map(image => image.caption)])
  t.equal(captions.length, 11 + 20)
  t.equal(new Set(captions).size, captions.length)
  t.ok(captions.every(caption => caption.length > 20 && caption.length < 1_000))
  for (const { id, question, choices, answer } of rows.filter(each => each.question.caption !== undefined)) {
    const named = choices.map(({ text }) => text.length > 2 && question.caption!.includes(text))
    const isGivenAway = named[answer - 1]! && named.filter(Boolean).length === 1
    t.notOk(isGivenAway, `${id} keeps its answer`)
  }
})

t.test('questions and choices are well made', async t => {
  const texts = rows.map(({ question }) => question.text)
  t.equal(new Set(texts).size, texts.length)
  for (const { id, choices, answer, choices_implicit: implicit, question } of rows) {
    t.equal(choices.length, 4, `${id}`)
    t.equal(new Set(choices.map(({ text, image }) => image ?? text)).size, 4, `the choices of ${id} differ`)
    t.ok(answer >= 1 && answer <= 4)
    t.ok(implicit === undefined || implicit.length === 4)
    t.match(question.text, /[가-힣]/)
  }
  for (const part of [0, 1, 2, 3, 4, 5]) {
    const answers = rows.filter(row => part === 0 || row.part === part).map(({ answer }) => answer)
    for (const position of [1, 2, 3, 4]) {
      const share = answers.filter(answer => answer === position).length / answers.length
      t.ok(share >= 0.14 && share <= 0.36, `${share.toFixed(2)} of the answers of ${part === 0 ? 'all parts' : `part ${part}`} are ${position}`)
    }
  }
  const worded = rows.filter(({ choices }) => Math.min(...choices.map(({ text }) => text.length)) >= 6)
  const longest = worded.filter(({ choices, answer }) =>
    choices.every(({ text }, at) => at === answer - 1 || text.length < choices[answer - 1]!.text.length))
  t.ok(longest.length <= 0.4 * worded.length, `the right choice is the longest one in ${longest.length} of ${worded.length}`)
})

t.test('the answer of every calculation is computed, and no other choice comes near it', async t => {
  const calculations = questions.filter((question): question is Question & Required<Pick<Question, 'calculation'>> =>
    question.calculation !== undefined)
  t.ok(calculations.length >= 15)
  for (const { text, answer, calculation: { formula, given, values, inChart } } of calculations) {
    const gold = formulas[formula](given)
    values.forEach((value, at) => {
      const off = Math.abs(value - gold) / Math.abs(gold)
      if (at === answer - 1) t.ok(off < 0.01, `${formula}: ${gold} is ${value}`)
      else t.ok(off > 0.03, `${formula}: ${gold} is not ${value}`)
    })
    for (const [name, value] of Object.entries(given)) {
      const written = [String(value), value.toLocaleString('en-US'), ...value < 1e-3 ? ['10⁻⁴', '10⁻¹¹'] : [], ...name === 'happened' ? ['관측값 1'] : []]
      t.ok(inChart.includes(name) || written.some(each => text.includes(each)), `${formula}: the text gives ${name}`)
    }
  }
})

t.test('what a chart is drawn from makes the answer right', async t => {
  const asked = (image: string) => rows.find(({ question, choices }) =>
    question.image === image || choices.some(choice => choice.image === image))!
  t.equal(asked('images/wind-barb.png').choices[asked('images/wind-barb.png').answer - 1]!.text, `서북서풍, ${readWind.knots}노트`)
  t.ok(Math.abs(readWind.from - 292.5) < 11.25)
  t.same(choiceWinds.flatMap(({ from, knots }, at) => from === 225 && knots === 35 ? [at + 1] : []), [asked('images/wind-choice-1.png').answer])
  const station = asked('images/station.png')
  t.equal(station.choices[station.answer - 1]!.text, `${readStation.pressure} hPa`)
  t.ok(veering.every(({ wind }, at) => at === 0 || wind.from > veering[at - 1]!.wind.from), 'the wind veers with height')
  t.ok(lapseRates.conditionally > lapseRates.saturated && lapseRates.conditionally < lapseRates.dry)
  const { celsius, millimetres } = climate
  t.ok(Math.min(...celsius) < -3 && Math.max(...celsius) >= 22, 'D and a')
  t.ok(10 * Math.min(...millimetres.slice(0, 3), ...millimetres.slice(9)) < Math.max(...millimetres.slice(3, 9)), 'w')
})
