import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { paperIdOf } from '../../../shared/contracts/hash.ts'
import { parsePdf } from '../../../services/parsing/parse-pdf.ts'
import { methods, tQuantile } from '../intervals.ts'
import { firstReplicates, plan, runCell, settingsOf, type Cell, type Setting } from '../simulate.ts'
import { folder, readResults, typeset } from '../typeset.ts'

const results = readResults()
const { cells, density, first, theory } = results
const source = readFileSync(join(folder, 'sample-paper.typ'), 'utf8')
const pdf = readFileSync(join(folder, 'sample-paper.pdf'))

function cell (change: Partial<Setting> = {}): Cell {
  const wanted = { ...plan.base, ...change }
  return cells.find(found => Object.entries(wanted)
    .every(([key, value]) => found[key as keyof Setting] === value))!
}

/** The words of the source as a reader meets them: without code, formulas, names and comments. */
function proseOf (typst: string): string {
  const body = typst.slice(typst.indexOf('[Abstract]'))
    .replace(/^ *\/\/.*$/gm, '').replace(/^#let .*\n(?: .*\n|\)\)?\).*\n)*/gm, '')
  let prose = ''
  let depth = 0
  for (let at = 0; at < body.length; at++) {
    const call = depth === 0 ? /^#[\w.-]+/.exec(body.slice(at, at + 60)) : null
    if (call !== null) at += call[0].length
    const char = body[at]!
    if (call !== null && char === '[') prose += ' '
    else if (call !== null && char !== '(') prose += ` ${char}`
    else if (depth > 0 || call !== null) depth += char === '(' ? 1 : char === ')' ? -1 : 0
    else prose += char
  }
  return prose + captionsOf(body).join(' ').replace(/#[\w.]+\((?:[^()]|\([^()]*\))*\)/g, ' ')
}

function captionsOf (body: string): string[] {
  return [...body.matchAll(/^ {2}caption: \[(.*)\]$/gm)].map(([, caption]) => caption!)
}

t.test('the experiment run again gives the committed numbers', async t => {
  t.same(results.plan, plan, 'the results are those of the plan')
  const settingOf = ({ papers, icc, items, sizes, accuracy }: Setting): Setting =>
    ({ papers, icc, items, sizes, accuracy })
  t.same(cells.map(settingOf), settingsOf(plan).map(settingOf), 'every cell, in order')
  t.same(runCell(settingsOf(plan)[0]!, plan), cells[0])
  t.same(firstReplicates(plan, first.length), first)
  for (const found of cells) {
    for (const method of methods) {
      const { covered, tooLow, tooHigh } = found[method]
      if (Math.abs(covered + tooLow + tooHigh - 1) > 3e-6) t.fail(`${method} loses replicates at ${JSON.stringify(found)}`)
    }
  }
})

t.test('building again gives the committed PDF', async t => {
  t.ok(Buffer.from(typeset(results)).equals(pdf), 'run npm run sample-paper and commit the PDF')
  t.ok(pdf.length < 600_000)
})

t.test('a number typed into the text is a setting of the experiment, never a result', async t => {
  const settings = [
    ...plan.papers, ...plan.iccs, ...plan.items, ...plan.accuracies, ...Object.values(plan.base),
    first.length, plan.base.papers * plan.base.items, (plan.resamples + 1) / 40,
    // Items of the skewed papers and the largest one's share in per cent.
    4, 8, 12, 16, 60, 100 * theory.half, 100 * plan.base.accuracy,
    // The level, what it leaves, and the levels at which the Monte Carlo error is given.
    95, 5, 2.5, 75, 1.96, Number(tQuantile(4).toFixed(2)), Number(tQuantile(39).toFixed(2))
  ].map(String)
  // The worked example's other model and half-width; a decade; a licence; within formulas; the appendix.
  const others = ['6', '78', '1960', '4.0', '1', '2', '0.975', '128', '32', '754', '0.025', '399', '0.005', '0.001']
  const typed = [...proseOf(source).matchAll(/(?<![\w@./-])\d[\d,]*(?:\.\d+)?/g)].map(([number]) => number.replace(/,$/, ''))
  t.ok(typed.length > 100, `${typed.length} numbers were read`)
  t.same([...new Set(typed)].filter(number => !settings.includes(number) && !others.includes(number)), [])
})

t.test('what the text says in words is so in the results', async t => {
  const grid = cells.filter(({ items, sizes, accuracy }) => items === 20 && sizes === 'equal' && accuracy === 0.7)
  const along = plan.items.map(items => cell({ items }))
  const falls = (values: number[]) =>
    values.every((value, index) => index === 0 || value < values[index - 1]!)
  t.ok(grid.every(({ bootstrap, sandwich }) => bootstrap.covered > sandwich.covered), 'bootstrap above sandwich in every cell')
  t.equal(Math.min(...grid.map(({ t: tally }) => tally.covered)), cell({ papers: 5, icc: 0.4 }).t.covered, 'the worst entry of t')
  t.ok(falls(along.map(({ wilson }) => wilson.covered)), 'Wilson loses coverage as items are added')
  t.ok(falls(along.map(({ t: tally }) => tally.width)) && falls(along.map(({ wilson }) => wilson.width)), 'widths fall with items')
  t.ok(plan.papers.every(papers => Math.abs(cell({ papers }).wilson.covered - 0.75) < 0.025), 'Wilson stays near 75 %')
  t.ok(cell({ icc: 0.4 }).wilson.covered < 0.5, 'Wilson misses more often than not')
  t.ok(cell({ papers: 40, sizes: 'skewed' }).t.covered <= cell().t.covered, '40 skewed papers are no better than 10 equal ones')
  t.ok(2 * cell({ papers: 5 }).wilson.width < cell({ papers: 5 }).t.width, 'less than half as wide')
  t.ok(plan.papers.every(papers => methods.every(method => cell({ papers }).t.width >= cell({ papers })[method].width)), 't is widest')
  t.ok(density.correlation < 0 && density.tooHigh > density.tooLow && density.meanError < density.spread)
  t.ok(Math.abs(density.estimate.high - density.estimate.low - density.estimate.bins / 200) < 1e-9, 'a bin is one item of 200')
  t.ok(theory.byItems.every(({ items, coverage }) => Math.abs(cell({ items }).wilson.covered - coverage) < 0.03), 'theory is close')
})

t.test('the parser reads the paper', async t => {
  const { document } = await parsePdf(pdf, { paperId: paperIdOf(pdf) })
  t.equal(document.title, 'How Many Papers Does an Accuracy Need? Interval Coverage for Benchmarks Built from Few Papers')
  const words = document.abstract!.text.split(' ').length
  t.ok(words >= 150 && words <= 220, `the abstract has ${words} words`)
  const numbered = document.sections.filter(({ number, runIn }) => /^\d/.test(number) && !runIn)
  t.same(numbered.map(({ number }) => number), ['1', '2', '2.1', '2.2', '2.3', '3', '3.1', '3.2', '3.3', '3.4',
    '4', '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '5', '5.1', '5.2', '5.3', '6', '7'])
  t.same(numbered.map(({ number, level }) => level === number.split('.').length).filter(right => !right), [])
  const sectionOf = (id: string | null) => document.sections.find(section => section.id === id)?.number
  t.same(document.figures.map(({ label, sectionId }) => [label, sectionOf(sectionId)]),
    [['Figure 1', '3.4'], ['Figure 2', '4.1'], ['Figure 3', '4.3'], ['Figure 4', '4.4'], ['Figure 5', '4.6']])
  t.same(document.tables.map(({ label }) => label), ['Table 1', 'Table 2', 'Table 3', 'Table 4'])
  const heights = document.tables.map(({ box }) => box[3]! - box[1]!)
  t.ok(document.tables.every(({ box }) => box[0]! > 300), 'no table reaches into the other column')
  t.ok(heights.every(height => height > 50 && height < 195), 'each table has its own rules')
  t.same(document.figures.filter(({ box }) => box[3]! - box[1]! < 180), [], 'no figure lost its top')
  t.same(document.equations.map(({ number }) => number), ['1', '2', '3', '4', '5', '6'])
  t.same(document.references.map(({ label }) => label), Array.from({ length: 12 }, (_, index) => `${index + 1}`))
})
