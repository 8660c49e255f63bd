/** Captions, crops and tables on pages drawn by code; the corpus holds them to real ones. */
import t from 'tap'
import { bestOfLabel, findCaptions, labelKey, saysContinued } from '../domain/captions.ts'
import { cropBox } from '../domain/crop-box.ts'
import { findFigureRegions, type PageArt } from '../domain/figure-regions.ts'
import type { Line } from '../domain/line.ts'
import type { Box } from '../domain/page-glyphs.ts'
import { readCells } from '../domain/table-cells.ts'
import { joinPieces } from '../domain/table-pieces.ts'
import { findTableRegion } from '../domain/table-regions.ts'
import { joinRules, type Word } from '../domain/words.ts'

const body = { size: 10, leading: 12, fonts: new Set([0]), bold: false }

let order = 0
interface At { x?: number, y: number, width?: number, size?: number, gaps?: number }

function line (text: string, { x = 60, y, width = 220, size = 9, gaps = 0 }: At): Line {
  const span = { text, x0: x, x1: x + width, font: 1, size, bold: false, italic: false, raised: false }
  order++
  return {
    page: 1,
    box: [x, y - 0.72 * size, x + width, y + 0.22 * size],
    baseline: y,
    text,
    spans: [span],
    font: 1,
    size,
    bold: false,
    italic: false,
    glyphs: text.length,
    gaps,
    order,
    lastOrder: order,
    hyphen: false,
    column: 0
  }
}

/** Words of a table, a string a row; `|` parts the columns, which are 70 points wide. */
function words (rows: readonly string[], step = 14): Word[] {
  return rows.flatMap((row, i) => row.split('|').flatMap((cell, column) => {
    let x = 60 + 70 * column
    return cell.trim().split(' ').filter(text => text !== '').map(text => {
      const width = 4 * text.length
      const box: Box = [x, 93 + step * i, x + width, 102 + step * i]
      x += width + 2.5
      return { text, box, baseline: 100 + step * i, size: 9 }
    })
  }))
}

const noRules = { level: [], upright: [] }
const tableBox: Box = [60, 90, 400, 200]

t.test('a caption whose label stands alone takes the words below it', async t => {
  const [caption] = findCaptions([line('Figure 2', { y: 100, width: 40 }), line('The weights of stones', { y: 122 }), line('in the second year.', { y: 133 })], body)
  t.equal(caption?.lines.length, 3)
})

t.test('a caption ends at a rule and before a row of cells', async t => {
  const above = line('Table 1. Weights of stones', { y: 100 })
  const ruled = findCaptions([above, line('Stone weight', { y: 111 })], body, [[60, 102, 280, 103]])
  t.equal(ruled[0]?.lines.length, 1)
  const row = [line('Stone', { y: 111, width: 30 }), line('Weight', { y: 111, x: 150, width: 30 })]
  t.equal(findCaptions([above, ...row], body)[0]?.lines.length, 1)
  t.equal(findCaptions([above, line('in the second year.', { y: 111 })], body)[0]?.lines.length, 2)
})

t.test('the air round a crop ends before text and within the page', async t => {
  const art: Box = [1, 100, 200, 200]
  const walls: Box[] = [[10, 201.5, 190, 210], [203, 120, 300, 130]]
  t.same(cropBox(art, { width: 400, height: 400, walls }), [0, 97, 202, 200.5])
})

t.test('no figure takes rows of the table above it', async t => {
  const [caption] = findCaptions([line('Figure 1. Stones.', { y: 400 })], body)
  const art: PageArt = {
    page: 1,
    ink: [[60, 300, 280, 380]],
    labels: [[100, 280, 200, 292], [100, 268, 200, 276]],
    walls: [caption!.box, [60, 100, 280, 296]],
    frame: [60, 60, 280, 700],
    columns: [[60, 60, 280, 700]]
  }
  t.same(findFigureRegions([caption!], new Map([[1, art]]))[0]?.box, [60, 300, 280, 380])
})

t.test('a table ends at its last rule when body text follows, not before its notes', async t => {
  const [caption] = findCaptions([line('Table 1. Stones', { y: 100 })], body)
  const rows = [120, 134].flatMap(y => [line('a', { y, width: 20, size: 8 }), line('b', { y, x: 150, width: 20, size: 8 })])
  const page = (last: Line) => ({
    lines: [...rows, last],
    walls: [caption!.box],
    rules: [[60, 110, 280, 110.5], [60, 138, 280, 138.5]] as Box[],
    columns: [[60, 60, 280, 700]] as Box[],
    frame: [60, 60, 280, 700] as Box,
    bodySize: 10
  })

  t.same(findTableRegion(caption!, page(line('Weighed twice.', { y: 149, size: 8 })), usual)?.box[3], 149 + 0.22 * 8)
  t.same(findTableRegion(caption!, page(line('Text goes on.', { y: 149, size: 10 })), usual)?.box[3], 138.5)
})

t.test('aligned words become rows of cells, a long cell goes on over lines', async t => {
  const { rows, notes } = readCells(words(['Stone | Weight | Place', 'small grey | 1.2 | a field', 'large | 3.4 | a river']), noRules, tableBox)
  t.same(rows, [['Stone', 'Weight', 'Place'], ['small grey', '1.2', 'a field'], ['large', '3.4', 'a river']])
  t.equal(notes, '')
  const broken = readCells(words(['Stone | Weight | Place', 'small | 1.2 | a field', ' | | and a wood', 'large | 3.4 | a river'], 11), noRules, tableBox)
  t.same(broken.rows[1], ['small', '1.2', 'a field and a wood'])
})

t.test('a heading over several columns is repeated in each, an empty cell stays empty', async t => {
  const [a, ...rest] = words(['Year', 'Stone | one | two | three', 'small | 1.2 | 1.3 | ', 'large | 3.4 | 3.5 | 3.6'])
  const over: Word = { ...a!, box: [199, 93, 215, 102] }
  const level: Box[] = [[128, 104, 300, 104.5]]
  const { rows } = readCells([over, ...rest], { level, upright: [] }, tableBox)
  t.same(rows, [['', 'Year', 'Year', 'Year'], ['Stone', 'one', 'two', 'three'], ['small', '1.2', '1.3', ''], ['large', '3.4', '3.5', '3.6']])
})

t.test('in a grid every cell between rules is one, and prose is no table', async t => {
  const level: Box[] = [88, 117, 145, 160].map(y => [60, y, 400, y + 0.5])
  const cells = words(['one | two', 'Goes on | ', 'three | four', ' | More', 'five | six'])
  t.same(readCells(cells, { level, upright: [[100, 88, 100.5, 160]] }, tableBox).rows, [['one Goes on', 'two'], ['three', 'four More'], ['five', 'six']])
  t.same(readCells(words(['Words of a sentence that has', 'no columns but several lines', 'is not taken to be one']), noRules, tableBox).rows, [])
})

t.test('rules drawn in pieces are one', async t => {
  const pieces: Box[] = [[10, 5, 20, 5.5], [20.5, 5, 40, 5.5], [60, 5, 80, 5.5]]
  t.same(joinRules(pieces, true), [[10, 5, 40, 5.5], [60, 5, 80, 5.5]])
})

const usual = { above: 0, below: 1 }

function pageOf (lines: readonly Line[], walls: Box[]) {
  const columns: Box[] = [[60, 60, 280, 300]]
  return { lines, walls, rules: [] as Box[], columns, frame: columns[0]!, bodySize: 10 }
}

function rowsFrom (y: number, count: number): Line[] {
  return Array.from({ length: count }, (_, i) => y + 14 * i).flatMap(at =>
    [line('a', { y: at, width: 40, size: 8 }), line('b', { y: at, x: 240, width: 40, size: 8 })])
}

t.test('rows under a repeated label, and rows that open the next page, are parts of the table', async t => {
  const labels = [line('Table 1. Weights of stones', { y: 100 }), line('Table 1. Cont.', { y: 300 })]
  const captions = findCaptions(labels, body)
  t.same(captions.map(saysContinued), [false, true])
  t.equal(bestOfLabel([captions[1]!, captions[0]!])[0], captions[0])
  const [caption] = captions
  const again = { ...captions[1]!, page: 2, box: [60, 70, 130, 80] as Box }
  const pages = [
    pageOf(rowsFrom(120, 10), [caption!.box]),
    pageOf(rowsFrom(95, 12), [again.box]),
    pageOf(rowsFrom(70, 5), [[60, 160, 280, 170]]),
    pageOf([line('A sentence of the text.', { y: 70, size: 10 })], [[60, 62, 280, 72]])
  ]
  const region = findTableRegion(caption!, pages[0]!, usual)!
  const ground = {
    pageOf: (page: number) => pages[page - 1]!,
    pageCount: 4,
    keyOf: ({ label }: { label: string }) => labelKey(label),
    usual
  }
  const [table] = joinPieces([region], { ...ground, continued: [again] })
  t.same(table?.pieces?.map(({ page }) => page), [1, 2, 3])
  const [loose] = joinPieces([region], { ...ground, continued: [], pageCount: 2 })
  t.same(loose?.pieces?.map(({ page }) => page), [1, 2])
  const narrow = [pages[0]!, pageOf(rowsFrom(70, 6).filter(({ box }) => box[0] < 100), [])]
  const alone = joinPieces([region], {
    ...ground, continued: [], pageCount: 2, pageOf: page => narrow[page - 1]!
  })
  t.same(alone[0]?.pieces, undefined)
})
