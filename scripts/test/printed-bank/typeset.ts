/** An item bank as an exam on paper: two columns, ① to ④, figures under their questions, a key at the end. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

/** A row of a bank in the shape of K-MetBench, whose images are files under `folder`. */
export interface PrintedRow {
  question: { text: string, image?: string }
  choices: Array<{ text: string }>
  /** From 1. */
  answer: number
  part: number
  category: { subject: string }
}

export interface Layout {
  columns: 1 | 2
  /** Sits after the last question, or under each. */
  key: 'table' | 'lines' | 'beside'
}

const fonts = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/nanum-gothic/package.json'))
const circled = '①②③④⑤⑥⑦⑧⑨⑩'

/** @returns bytes of the PDF @throws Error with the compiler's words */
export function printed (rows: readonly PrintedRow[], folder: string, layout: Layout): Uint8Array {
  const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: [join(fonts, '400Regular'), join(fonts, '700Bold')] }] })
  const main = join(folder, 'printed-bank.typ')
  compiler.mapShadow(main, Buffer.from(sourceOf(rows, layout)))
  for (const { question: { image } } of rows) {
    if (image !== undefined) compiler.mapShadow(join(folder, image), readFileSync(join(folder, image)))
  }
  const compiled = compiler.compile({ mainFilePath: main })
  if (compiled.result === null) throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics))
  return compiler.pdf(compiled.result, { creationTimestamp: 0 })
}

function sourceOf (rows: readonly PrintedRow[], { columns, key }: Layout): string {
  return [
    '#set text(font: "NanumGothic", size: 9pt, lang: "ko")',
    '#set page(paper: "a4", margin: (x: 18mm, y: 20mm), numbering: "1")',
    '#align(center, text(size: 16pt, weight: "bold")[기상기사 필기 모의시험])',
    `#columns(${columns}, gutter: 8mm)[`,
    ...rows.flatMap((row, at) => questionOf(row, { number: at + 1, before: rows[at - 1], key })),
    ']',
    ...keyOf(rows, key)
  ].join('\n')
}

interface Place { number: number, before: PrintedRow | undefined, key: Layout['key'] }

function questionOf (
  { question, choices, answer, part, category }: PrintedRow, { number, before, key }: Place
): string[] {
  const short = choices.every(({ text }) => text.length <= 14)
  const options = choices.map(({ text }, at) => string(`${circled[at]} ${text}`))
  return [
    ...before?.part === part ? [] : [heading(`제${part}과목: ${category.subject}`)],
    '#block(breakable: false)[',
    `#par[${string(`${number}. ${question.text}`)}]`,
    ...question.image === undefined ? [] : [`#image(${JSON.stringify(question.image)}, width: 60mm)`],
    ...short ? [grid(options)] : options.map(each => `#par[${each}]`),
    ...key === 'beside' ? [`#par[${string(`정답: ${circled[answer - 1]}`)}]`] : [],
    ']', '#v(3mm)'
  ]
}

function grid (cells: readonly string[]): string {
  return `#grid(columns: (1fr, 1fr), row-gutter: 2mm, ${cells.map(each => `[${each}]`).join(', ')})`
}

function heading (text: string): string {
  return `#align(center, text(weight: "bold", size: 11pt)[${string(text)}])`
}

function keyOf (rows: readonly PrintedRow[], key: Layout['key']): string[] {
  if (key === 'beside') return []
  const pairs = rows.map(({ answer }, at) => ({ number: String(at + 1), answer: circled[answer - 1]! }))
  const line = pairs.map(({ number, answer }) => `${number} ${answer}`).join('  ')
  if (key === 'lines') return [`#par[${string(`정답 ${line}`)}]`]
  const tens = Array.from({ length: Math.ceil(pairs.length / 10) }, (_, at) =>
    pairs.slice(10 * at, 10 * at + 10))
  const cells = tens.flatMap(ten => [
    ['번호', ...ten.map(({ number }) => number)], ['정답', ...ten.map(({ answer }) => answer)]
  ].map(row => [...row, ...Array<string>(11 - row.length).fill('')]))
  return ['#pagebreak()', '#align(center)[정답표]', `#table(columns: 11, ${cells.flat().map(each => `[${string(each)}]`).join(', ')})`]
}

/** Text of a bank as a string, in which nothing is markup. */
function string (text: string): string {
  return `#${JSON.stringify(text).replaceAll(/\\u([0-9a-f]{4})/g, '\\u{$1}')}`
}
