/** One sheet of a workbook as its XML has it: cells as text, formulas and merged cells as such. */
import { SaxesParser } from 'saxes'
import { limits } from '../domain/limits.ts'

/** Each is looked for in all rows. */
const mergesMax = 10_000

export interface Cell { text: string, isFormula: boolean, isError: boolean }

export interface Sheet {
  /** By row number, then column, both from 0. */
  rows: Map<number, Map<number, Cell>>
  merges: Array<{ top: number, left: number, bottom: number, right: number }>
}

interface Reading {
  sheet: Sheet
  shared: readonly string[]
  row: number
  column: number
  type: string
  text: string
  isText: boolean
  cell: Cell | undefined
}

/** @throws Error for XML that is none */
export function sheetOf (xml: string, shared: readonly string[]): Sheet {
  const sheet: Sheet = { rows: new Map(), merges: [] }
  const reading: Reading = { sheet, shared, row: -1, column: -1, type: 'n', text: '', isText: false, cell: undefined }
  eachTag(xml, {
    open: (name, attributes) => { opened(reading, name, attributes) },
    text: text => { if (reading.isText) reading.text += text },
    close: name => { closed(reading, name) }
  })
  return sheet
}

function opened (reading: Reading, name: string, attributes: Record<string, string>): void {
  if (name === 'row') {
    reading.row = attributes['r'] === undefined ? reading.row + 1 : Number(attributes['r']) - 1
    reading.column = -1
  } else if (name === 'c') {
    const place = placeOf(attributes['r'] ?? '')
    reading.column = place?.column ?? reading.column + 1
    reading.type = attributes['t'] ?? 'n'
    reading.cell = { text: '', isFormula: false, isError: reading.type === 'e' }
  } else if (name === 'f' && reading.cell !== undefined) reading.cell.isFormula = true
  else if (name === 'v' || name === 't') {
    reading.isText = true
    reading.text = ''
  } else if (name === 'mergeCell') {
    const [from, to] = (attributes['ref'] ?? '').split(':').map(placeOf)
    if (from === undefined || to === undefined) return
    if (reading.sheet.merges.length >= mergesMax) throw new RangeError(`more than ${mergesMax} merged ranges`)
    reading.sheet.merges.push({ top: from.row, left: from.column, bottom: to.row, right: to.column })
  }
}

function closed (reading: Reading, name: string): void {
  const { cell, sheet, row, column, type, text, shared } = reading
  if (name === 'v' || name === 't') {
    reading.isText = false
    if (cell === undefined) return
    if (type === 's') cell.text = shared[Number(text)] ?? ''
    else if (type === 'b') cell.text = text === '1' ? 'TRUE' : 'FALSE'
    else cell.text += type === 'n' ? text : unescaped(text)
  } else if (name === 'c' && cell !== undefined) {
    reading.cell = undefined
    if (column > limits.columns || (cell.text === '' && !cell.isFormula)) return
    const cells = sheet.rows.get(row) ?? new Map<number, Cell>()
    sheet.rows.set(row, cells.set(column, cell))
  }
}

/** Texts that cells refer to by number; furigana is no text of a cell. */
export function sharedStringsOf (xml: string): string[] {
  const strings: string[] = []
  let isText = false
  let aside = 0
  let text = ''
  eachTag(xml, {
    open (name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') aside++
      else if (name === 't') isText = aside === 0
    },
    text: found => { if (isText) text += found },
    close (name) {
      if (name === 't') isText = false
      else if (name === 'rPh') aside--
      else if (name === 'si') strings.push(unescaped(text))
    }
  })
  return strings
}

interface Told {
  open: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** Names without their prefix. Entities of a file's own are not expanded: the parser refuses them. */
export function eachTag (xml: string, { open, text, close }: Told): void {
  const parser = new SaxesParser()
  const bare = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.on('error', cause => { throw cause })
  parser.on('opentag', ({ name, attributes }) => { open(bare(name), attributes as Record<string, string>) })
  if (text !== undefined) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  if (close !== undefined) parser.on('closetag', ({ name }) => { close(bare(name)) })
  parser.write(xml).close()
}

function placeOf (reference: string): { row: number, column: number } | undefined {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? []
  if (letters === '') return undefined
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits) - 1, column }
}

/** ECMA-376 writes characters that XML does not have as _xHHHH_. */
function unescaped (text: string): string {
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
