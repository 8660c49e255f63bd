import t from 'tap'
import { Value } from 'typebox/value'
import type { Document, Table } from '../../../shared/contracts/document.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { Item } from '../../../shared/contracts/item.ts'
import { codePointSlice } from '../../../shared/text/normalise.ts'
import { planOf } from '../domain/plan.ts'
import { resolveRecipe } from '../domain/recipe.ts'
import { decimalOf, minus, printed, quotient } from '../domain/tables/decimal.ts'
import { readCell } from '../domain/tables/cell.ts'
import { gridOf } from '../domain/tables/grid.ts'
import { isomorphOf } from '../domain/tables/isomorph.ts'
import { tableItems } from '../domain/tables/tables.ts'
import { smallDocument } from './fixtures/document.ts'

const kinds: Recipe['kinds'] = ['choice', 'binary']
const recipe: Recipe = { strategy: 'tables', kinds, pairsPerFigureMax: 2, seed: 1, review: false }
const generationId = `gen_${'0'.repeat(32)}`
const box = [0, 0, 100, 100]

function documentOf (rows: string[][], changes: Partial<Table> = {}, document: Partial<Document> = {}) {
  const place = { page: 1, box, captionBox: box, sectionId: 's2', mentions: [] }
  const table = { id: 't1', label: 'Table 1', caption: 'Lamps.', rows, ...place, ...changes }
  return smallDocument('1', { pages: [], tables: [table], ...document })
}

function made (document: Document, changes: Partial<Recipe> = {}) {
  return tableItems(document, 't1', { generationId, recipe: { ...recipe, ...changes } })
}

const faultOf = (rows: string[][], changes: Partial<Table> = {}, document: Partial<Document> = {}) =>
  made(documentOf(rows, changes, document)).rejections[0]?.reason

const lamps = [
  ['Lamp', 'Place', 'Range (m)', 'Error (%)'],
  ['Ada', 'road', '52.5 ± 0.4', '4.1'],
  ['Bea', 'bridge', '61.0 ± 1.2', '3.9'],
  ['Cleo', 'road', '48.2 ± 0.9', '7.7'],
  ['Dora', 'road', '57.9 ± 0.3', '2.2'],
  ['Edda', 'bridge', '39.4 ± 0.8', '9.6'],
  ['Fria', 'bridge', '44.1 ± 0.5', '6.5']
]

t.test('a plain table', async t => {
  const document = documentOf(lamps)
  const { items, rejections } = made(document)
  const byOperation = (operation: string) => items.filter(({ slices }) => slices.operation === operation)
  const answerOf = ({ choices, answerIndex }: Item) => choices?.[answerIndex ?? -1]?.text ?? ''

  t.test('gives items of the contract whose evidence are its cells', async t => {
    t.same(rejections, [])
    t.ok(items.length >= 10)
    for (const item of items) {
      t.ok(Value.Check(Item, item), item.question)
      t.match(item.question, /Table 1/)
      t.ok(item.evidence.length > 0)
      for (const { quote, cell, charStart, charEnd } of item.evidence) {
        const text = lamps[cell?.row ?? -1]?.[cell?.column ?? -1] ?? ''
        t.equal(codePointSlice(text, charStart, charEnd), quote)
      }
    }
    t.equal(new Set(items.map(({ id }) => id)).size, items.length)
  })

  t.test('has choices that are all different, one of which is right', async t => {
    for (const { choices = [], kind, answerIndex } of items) {
      t.equal(new Set(choices.map(({ text }) => text)).size, choices.length)
      t.ok((answerIndex ?? -1) >= 0 && (answerIndex ?? -1) < choices.length)
      if (kind === 'choice') t.ok(choices.length >= 3)
    }
  })

  t.test('is asked plain look-ups in one choice item of five at most', async t => {
    const asked = items.filter(({ kind }) => kind === 'choice')
    t.ok(byOperation('look-up').length * 5 <= asked.length)
    t.ok(new Set(asked.map(({ slices }) => slices.operation)).size >= 6)
  })

  t.test('is asked for the highest of all rows, and of those of one kind', async t => {
    const highest = byOperation('argmax').map(item => [item.provenance.arguments?.fixed, answerOf(item)])
    for (const [fixed, answer] of highest) t.equal(answer, canonicalJson(fixed) === '["Range (m)"]' ? 'Bea' : 'Edda')
    for (const item of byOperation('argmax-where')) {
      t.match(item.question, /"(road|bridge)" under "Place"/)
      const road = item.question.includes('"road"')
      const range = item.question.includes('Range (m)')
      t.equal(answerOf(item), road ? (range ? 'Dora' : 'Cleo') : (range ? 'Bea' : 'Edda'))
    }
  })

  t.test('has pairs that differ in the order of two names, one yes and one no', async t => {
    const pairs = items.filter(({ kind }) => kind === 'binary')
    t.equal(pairs.length, 4)
    for (const pairId of new Set(pairs.map(({ pairId }) => pairId))) {
      const [a, b] = pairs.filter(item => item.pairId === pairId)
      t.same([a?.answerIndex, b?.answerIndex].sort(), [0, 1])
      t.same(a?.question.split('"').sort(), b?.question.split('"').sort())
    }
  })

  t.test('gives the same bytes again, and other items by another seed', async t => {
    t.equal(canonicalJson(made(document).items), canonicalJson(items))
    t.not(canonicalJson(made(document, { seed: 2 }).items), canonicalJson(items))
  })
})

t.test('a recipe for tables plans each table, and asks only for kinds that tables give', async t => {
  const document = documentOf(lamps)
  t.same(planOf(document, recipe), [{ aspect: 'table', id: 't1' }])
  t.match(resolveRecipe({ strategy: 'tables', seed: 1 }), { kinds: ['binary', 'choice'], pairsPerFigureMax: 3 })
  t.match(resolveRecipe({ strategy: 'extractive', seed: 1 }), { kinds: ['qa', 'binary'], pairsPerFigureMax: 3 })
  for (const kind of ['qa', 'vqa'] as const) {
    t.throws(() => resolveRecipe({ ...recipe, kinds: [kind, 'binary'] }), { message: new RegExp(`leave ${kind} out of kinds, or ask for the strategy .*model`), errors: [{ pointer: '/recipe/kinds' }] })
  }
  for (const kind of ['choice', 'vqa'] as const) {
    t.throws(() => resolveRecipe({ ...recipe, strategy: 'extractive', kinds: [kind] }), { message: new RegExp(`leave ${kind} out`) })
  }
})

t.test('a row of decimals under a heading is no heading, and an isomorph says whose cells its evidence is', async t => {
  const rows = [['', 'MeSH', ''], ['', '9.4', ''], ['Ada', '9.1', '52.5'], ['Bea', '9.2', '61.0'], ['Cleo', '9.3', '48.2']]
  t.equal(faultOf(rows, {}, { pages: [{ number: 1, width: 600, height: 800 }] }), 'header-uncertain')
  const { items } = made(documentOf(lamps), { release: 'spring' })
  t.ok(items.length > 0)
  const slices = { isomorph: 'spring', evidence: 'printed-table' }
  for (const item of items) t.match(item, { slices, checks: [{ detail: /as printed/ }] })
})

t.test('a table that is not understood gives no items, and says why', async t => {
  const [head = [], ...body] = lamps
  t.equal(faultOf([]), 'no-cells')
  t.equal(faultOf(body), 'header-uncertain')
  t.equal(faultOf([head, ...body.map(row => ['Ada', 'road', ...row.slice(2)])]), 'rows-unnamed')
  t.equal(faultOf([head, ['Ada', 'road', '5,2', '1.1'], ['Bea', 'road', '5,9', '1.2']]), 'separators-mixed')
  const pages = [{ number: 1, width: 600, height: 800 }]
  t.equal(faultOf([head, ...body.map(row => [...row.slice(0, 3), '1 .4'])], {}, { pages }), 'digits-uncertain')
  const column = (...cells: string[]) => [['Lamp', 'Value'], ...cells.map((cell, i) => ['Ada Bea Cleo Dora Edda'.split(' ')[i] ?? '', cell])]
  t.equal(faultOf(column('10.000', '900', '2.500', '750'), {}, { language: 'de' }), 'separators-mixed', 'ten thousand')
  t.equal(faultOf(column('1,234', '5,678', '2,500', '3,100'), {}, { language: 'fr' }), 'separators-mixed', 'or a fraction')
  t.equal(faultOf(column('1.234', '5,678', '2,500', '3,100'), {}, { language: 'de' }), 'separators-mixed')
  t.equal(faultOf(column('1,234', '5,678', '2,500', '0,5'), {}, { language: 'de' }), undefined)
  t.equal(faultOf(column('1,234', '5,678', '2,500', '3,100')), undefined, 'in English it is certain')
  t.equal(faultOf(column('12%', '0.30', '15%', '0.41', '9%')), 'nothing-to-compare', 'shares of two kinds')
  t.equal(faultOf(column('0.912', '91.3', '0.874', '88.1')), 'nothing-to-compare', 'nor where no sign tells')
  t.equal(faultOf(column('12%', '30', '15%', '41').map((row, i) => i === 0 ? ['Lamp', 'Value (%)'] : row)), undefined)
  t.equal(faultOf(column('5.0', '', '4.0', '2.1')), 'broken-rows', 'a cell that may be that of the row above')
  t.equal(faultOf(lamps, { notes: '1 Measured in fog.' }, { pages }), 'digits-uncertain')
  t.equal(faultOf(lamps, { label: 'Table' }), 'no-label')
})

t.test('a page whose row is shifted or whose number lost its point is not believed there', async t => {
  const pages = [{ number: 1, width: 600, height: 800 }]
  const [head = [], ...body] = lamps.map(row => [...row.slice(0, 1), ...row.slice(2)])
  const asked = (rows: string[][]) => made(documentOf([head, ...rows], {}, { pages }), { kinds: ['choice'] }).items
  const operations = (rows: string[][]) => new Set(asked(rows).map(({ slices }) => slices.operation))
  t.ok(operations(body).has('argmax'))
  const shifted = body.map(([name = '', range = '', error = ''], i) => i === 2 ? [name, '', range] : [name, range, error])
  t.ok(asked(shifted).length > 0)
  t.notOk(operations(shifted).has('argmax'))
  t.notOk(JSON.stringify(asked(shifted)).includes('Cleo'))
  const pointless = body.map(([name = '', range = '', error = ''], i) => [name, range, i === 2 ? '77' : error])
  t.notOk(JSON.stringify(asked(pointless).map(({ choices, question }) => [choices, question])).includes('"77"'))
})

t.test('nothing is asked that has more than one answer', async t => {
  const tied = lamps.map((row, i) => i === 0 ? row : [row[0] ?? '', row[1] ?? '', i < 3 ? '61' : '50.4', '5.0'])
  const { items } = made(documentOf(tied), { kinds: ['choice'] })
  t.same(items.filter(({ slices }) => ['argmax', 'argmin', 'second'].includes(slices.operation ?? '')), [])
})

t.test('numbers are exact', async t => {
  t.equal(printed(minus(decimalOf('0.3'), decimalOf('0.1'))), '0.2')
  t.equal(printed(quotient(decimalOf('1'), decimalOf('3'), 2) ?? decimalOf('0')), '0.33')
  t.equal(quotient(decimalOf('1'), decimalOf('8'), 2), undefined, 'a tie')
  t.equal(printed(decimalOf('-0.050')), '-0.050')
})

t.test('a cell is a number only when all readers would read the same', async t => {
  const kindOf = (text: string, rules = { decimalComma: false, drawn: false }) => {
    const cell = readCell(text, rules)
    return cell.kind === 'number' ? printed(cell.value) : cell.kind
  }
  t.same(['12.1 ± 0.2f', '79.9 ± 1.7ᵃ', '−0.3', '6.3 (±0.2)', '1,234', '.45', '12%', '95.4ᵃ'].map(text => kindOf(text)),
    ['12.1', '79.9', '-0.3', '6.3', '1234', '0.45', '12', '95.4'])
  t.same(['12 (34%)', '3-5', '1.2 × 103', '5 h', '2730 (2878)', '39.8+4.7', '45¹'].map(text => kindOf(text)), Array(7).fill('unclear'))
  t.same(['<0.001', '≈3', '—', 'NA', 'n.d.', '', 'Ada'].map(text => kindOf(text)),
    ['bound', 'bound', 'missing', 'missing', 'missing', 'empty', 'words'])
  t.equal(kindOf('0,5', { decimalComma: true, drawn: false }), '0.5')
  t.equal(kindOf('1 234', { decimalComma: false, drawn: true }), 'unclear')
})

t.test('headings over several columns reach as far as the heading above them', async t => {
  const rows = [
    ['Oil', 'Share (%)', '', '', ''],
    ['', 'ours', 'first', 'second', ''],
    ['', '', '', 'A', 'B'],
    ['x', '1.0', '2.0', '3.0', '4.0'],
    ['y', '5.0', '6.0', '7.0', '8.0']
  ]
  const document = documentOf(rows)
  const grid = gridOf(document, document.tables[0] as Table)
  t.match(grid, { columns: [{}, { path: ['Share (%)', 'ours'] }, { path: ['Share (%)', 'first'] }, { path: ['Share (%)', 'second', 'A'] }, { path: ['Share (%)', 'second', 'B'] }] })
})

t.test('rows in groups are named by the group only where they must be', async t => {
  const rows = [
    ['Strain', 'Zone (mm)'],
    ['Positive', ''],
    ['A', '22.3'],
    ['B', '21.5'],
    ['Negative', ''],
    ['A', '10.5'],
    ['C', '15.4']
  ]
  const document = documentOf(rows)
  const grid = gridOf(document, document.tables[0] as Table)
  t.match(grid, { grouped: true, rows: [{ name: 'Positive / A' }, { name: 'B', path: ['B'] }, { name: 'Negative / A' }, { name: 'C' }] })
})

t.test('numbers of different quantities are not compared', async t => {
  const rows = [
    ['Parameter', 'Group I', 'Group II', 'Group III'],
    ['Age (years)', '52.5', '61.5', '48.2'],
    ['Weight (kg)', '70.1', '66.0', '81.3'],
    ['Height (cm)', '171.0', '168.4', '180.2']
  ]
  const { items } = made(documentOf(rows))
  const compared = items.filter(({ slices }) => slices.operation !== 'look-up')
  t.ok(compared.length > 0)
  t.same([...new Set(compared.map(({ provenance }) => provenance.arguments?.along))], ['columns'])
  // Each of what gives them away is enough: the heading over the names, units, and the names themselves.
  const like = (head: string, names: string[]) => made(documentOf([
    [head, 'Group I', 'Group II', 'Group III'], ...rows.slice(1).map((row, i) => [names[i] ?? '', ...row.slice(1)])
  ])).items.filter(({ slices, provenance }) => slices.operation !== 'look-up' && provenance.arguments?.along === 'rows')
  t.ok(like('', ['Ada', 'Bea', 'Cleo']).length > 0)
  t.same(like('Variable', ['Ada', 'Bea', 'Cleo']), [])
  t.same(like('', ['Ada (kg)', 'Bea (cm)', 'Cleo (s)']), [])
  t.same(like('', ['Age', 'Weight', 'Height']), [])
})

t.test('what follows from the headings is not asked', async t => {
  const rows = [['Species', 'Dose (mg)', '', '', ''], ['', '1', '5', '10', '50'], ['ant', '3.1', '7.4', '20.2', '81.0']]
  const { items } = made(documentOf(rows))
  const operations = new Set(items.map(({ slices }) => slices.operation))
  t.ok(operations.has('trend') && operations.has('difference'))
  t.notOk(operations.has('argmax') || operations.has('compare'))
})

t.test('a paper in Korean is asked in Korean', async t => {
  const rows = [['모형', '정확도 (%)', '시간 (초)'], ['가', '81.2', '3.1'], ['나', '85.4', '4.7'], ['다', '79.9', '2.2'], ['라', '83.0', '5.5'], ['마', '80.6', '3.9']]
  const { items } = made(documentOf(rows, { label: '표 1', caption: '모형별 성능 비교' }, { language: 'ko' }))
  t.ok(items.length >= 8)
  for (const { question, language, rationale } of items) {
    t.equal(language, 'ko')
    t.match(question, /표 1/)
    t.match(question, /[\uAC00-\uD7A3][^"]*[?)]$/u)
    t.notMatch(`${question} ${rationale}`, /\b(?:the|value|column)\b/u)
  }
})

t.test('an isomorph', async t => {
  const document = documentOf(lamps)
  const items = made(document, { kinds: ['choice'] }).items
  const variants = items.map(item => isomorphOf(item, 'spring'))
  const answerOf = (item: Item | undefined) => item?.choices?.[item.answerIndex ?? -1]?.text

  t.test('is the same question with other numbers and another answer', async t => {
    for (const [i, variant] of variants.entries()) {
      const item = items[i] as Item
      if (variant === undefined) return t.fail(item.question)
      t.ok(Value.Check(Item, variant))
      t.not(variant.id, item.id)
      t.not(answerOf(variant), answerOf(item))
      t.equal(variant.slices.isomorph, 'spring')
      t.match(variant.question, /\| Lamp \|.*\n\| --- \|[^]*the table below/u)
      for (const [name] of lamps.slice(1)) t.ok(variant.question.includes(`| ${name} |`))
      t.notOk(variant.question.includes('| 61.0 |') && variant.question.includes('| 39.4 |') && variant.question.includes('| 52.5 |'))
    }
  })

  t.test('keeps the digits and the range of each column', async t => {
    for (const variant of variants) {
      const excerpt = variant?.provenance.arguments?.excerpt as { columns: string[], rows: string[][] }
      const at = excerpt.columns.indexOf('Range (m)')
      if (at < 0) continue
      const cells = excerpt.rows.map(row => row[at]!)
      t.ok(cells.every(cell => /^\d\d\.\d$/u.test(cell) && Number(cell) >= 39.4 && Number(cell) <= 61.0))
    }
  })

  t.test('is the same for the same release, and another for another', async t => {
    t.equal(canonicalJson(items.map(item => isomorphOf(item, 'spring') ?? null)), canonicalJson(variants))
    t.not(canonicalJson(items.map(item => isomorphOf(item, 'autumn')?.choices ?? null)), canonicalJson(variants.map(one => one?.choices)))
  })

  t.test('stands for each item of a generation that names a release', async t => {
    t.same(made(document, { kinds: ['choice'], release: 'spring' }).items, variants)
    t.throws(() => resolveRecipe({ ...recipe, strategy: 'extractive', release: 'spring' }), /release/)
  })
})
