/** What each row of a table's body is called: the column of names, groups of rows, rows in two steps. */
import type { Cell } from './cell.ts'
import type { Heading } from './headings.ts'
import { withoutMarks } from './headings.ts'

/** `name`: what the rows are, as the heading over their names says; '' without one. */
export interface Stub { columns: number[], name: string }

export interface RowsOrder {
  texts: readonly string[][]
  cells: readonly Cell[][]
  headers: number
  columns: readonly Heading[]
  drawn: boolean
}

interface Body { index: number, group: string | undefined }

/** `partial`: rows without a name of their own are left out; what is highest here may not be the highest. */
export interface NamedRows { rows: Heading[], stub: Stub, grouped: boolean, partial: boolean }

type Fault = { fault: string, detail: string }

const nameCharsMax = 80

export function rowsOf (order: RowsOrder): NamedRows | Fault {
  const body = bodyOf(order)
  if ('fault' in body) return body
  const stub = stubOf(order, body)
  if ('fault' in stub) return stub
  const paths = pathsOf(order, body, stub)
  const lasts = paths.map(path => path.at(-1) ?? '')
  const named = body.map(({ index }, i) => {
    const [path, last] = [paths[i] ?? [], lasts[i] ?? '']
    const short = stub.columns.length === 1 && isOnce(lasts, last)
    // Where a group ends is not printed: a row that needs none is named without.
    return { index, path: short ? [last] : path, name: last === '' ? '' : short ? last : path.join(' / ') }
  })
  const names = named.map(({ name }) => name)
  const rows = named.filter(({ name }) => name !== '' && name.length <= nameCharsMax && isOnce(names, name))
  if (rows.length * 3 < body.length * 2) return { fault: 'rows-unnamed', detail: 'No column names every row once, in few words.' }
  const name = stub.columns.map(c => order.columns[c]?.name ?? '').filter(name => name !== '').join(' / ')
  const grouped = body.some(({ group }) => group !== undefined)
  return { rows, stub: { ...stub, name }, grouped, partial: rows.length < body.length }
}

function isOnce (texts: readonly string[], text: string): boolean {
  return texts.indexOf(text) === texts.lastIndexOf(text)
}

/** Rows with cells; a row that has only a name is the heading of those below it. */
function bodyOf ({ texts, headers, drawn }: RowsOrder): Body[] | Fault {
  const body: Body[] = []
  let group: string | undefined
  let groups = 0
  let fresh = false
  for (let index = headers; index < texts.length; index++) {
    const row = texts[index] ?? []
    const [first = '', ...others] = row.map(cell => cell.trim())
    const spanning = first !== '' && others.every(cell => cell === '' || cell === first)
    if (!spanning) {
      body.push({ index, group })
      fresh = false
      continue
    }
    if (fresh) return { fault: 'nested-groups', detail: 'A heading among the rows stands under another.' }
    // In two columns, a cell that reaches over the rows above looks the same.
    if ((drawn || row.length === 2) && groups === 0 && body.length > 0) return { fault: 'broken-rows', detail: 'A row has a name and no cells: it may be part of the next.' }
    group = withoutMarks(first)
    groups++
    fresh = true
  }
  if (body.length === 0) return { fault: 'no-body', detail: 'No row has cells.' }
  if (drawn && groups === 1) return { fault: 'broken-rows', detail: 'A row has a name and no cells: it may be part of the next.' }
  if (fresh) return { fault: 'broken-rows', detail: 'The last row has a name and no cells.' }
  return body
}

function stubOf ({ texts, cells, columns, drawn }: RowsOrder, body: readonly Body[]): Stub | Fault {
  const looks = columns.map(({ index: c, name }) => {
    const values = body.map(({ index }) => withoutMarks(texts[index]?.[c] ?? ''))
    const kinds = body.map(({ index }) => cells[index]?.[c]?.kind)
    const keys = values.map((value, i) => `${body[i]?.group ?? ''}\u0000${value}`)
    const numbered = kinds.every(kind => kind === 'number')
    return {
      c,
      first: values[0] ?? '',
      worded: kinds.every(kind => kind !== 'number' && kind !== 'bound') && kinds.includes('words'),
      full: values.every(value => value !== ''),
      // Rows with a name that no other has.
      own: values.filter((value, i) => value !== '' && isOnce(keys, keys[i] ?? '')).length,
      // Numbered from 1 on, or numbers without a word for what they are.
      counted: numbered && (name === '' || values.every((value, i) => value === String(i + 1)))
    }
  })
  const [first, second] = looks
  const whole = looks.find(({ c, own, worded, counted }) =>
    own === body.length && (c === 0 ? !counted : worded))
  if (whole !== undefined) return { columns: [whole.c], name: '' }
  if (drawn) return { fault: 'rows-unnamed', detail: 'No column names every row once; names over several rows cannot be placed on a page.' }
  const twoSteps = first?.worded === true && first.first !== '' && second?.worded === true && second.full
  if (twoSteps && columns.length > 2) return { columns: [0, 1], name: '' }
  const most = looks.find(({ own, worded }) => worded && own * 3 >= body.length * 2)
  if (most !== undefined) return { columns: [most.c], name: '' }
  return { fault: 'rows-unnamed', detail: 'No column names every row once.' }
}

function pathsOf ({ texts }: RowsOrder, body: readonly Body[], { columns }: Stub): string[][] {
  let above = ''
  return body.map(({ index, group }) => {
    const own = columns.map(c => withoutMarks(texts[index]?.[c] ?? ''))
    if (columns.length > 1) {
      above = own[0] !== '' ? own[0] ?? '' : above
      own[0] = above
    }
    return group === undefined ? own : [group, ...own]
  })
}
