/**
 * Other plausible numbers for a table: those of one row go to another, whole, so that columns keep their
 * range, precision and how they go together; then each number moves between its neighbours in size.
 */
import { fractionOf, shuffled } from '../seeded.ts'
import { compare, decimalOf, printed, type Decimal } from './decimal.ts'
import type { Excerpt } from './excerpt.ts'
import type { Trend } from './operations.ts'
import type { Series } from './series.ts'

const number = /^-?\d+(?:\.\d+)?$/u

/** `stays`: no number goes to another heading. */
export interface Moving { along: Series['along'], stays: boolean, seed: number }

export function moved (excerpt: Excerpt, { along, stays, seed }: Moving): Excerpt {
  const swap = along === 'rows' ? rowsSwapped : columnsSwapped
  const swapped = stays ? excerpt : swap(excerpt, seed)
  const lines = along === 'rows' ? columnsOf(swapped) : swapped.rows.map(row => row.slice(1))
  const fresh = lines.map((line, at) => nudged(line, `${at} ${seed}`, seed))
  const rows = swapped.rows.map(([name = '', ...cells], r) =>
    [name, ...cells.map((cell, c) => (along === 'rows' ? fresh[c]?.[r] : fresh[r]?.[c]) ?? cell)])
  return { columns: excerpt.columns, rows }
}

function rowsSwapped ({ columns, rows }: Excerpt, seed: number): Excerpt {
  const order = shuffled(rows.map((_, r) => r), seed, r => `row ${r}`)
  return {
    columns,
    // Words stay: who belongs to which class is the table's, not the variant's.
    rows: rows.map((row, r) => row.map((cell, c) =>
      c > 0 && isNumeric(rows, c) ? rows[order[r] ?? r]?.[c] ?? cell : cell))
  }
}

function columnsSwapped ({ columns, rows }: Excerpt, seed: number): Excerpt {
  const places = columns.map((_, c) => c).slice(1)
  const order = shuffled(places, seed, c => `column ${c}`)
  const swapped = (row: readonly string[]) =>
    row.map((cell, c) => c === 0 ? cell : row[order[c - 1] ?? c] ?? cell)
  return { columns, rows: rows.map(swapped) }
}

function isNumeric (rows: readonly string[][], c: number): boolean {
  return rows.every(row => row[c] === '' || number.test(row[c] ?? ''))
}

function columnsOf ({ columns, rows }: Excerpt): string[][] {
  return columns.slice(1).map((_, c) => rows.map(row => row[c + 1] ?? ''))
}

/** Each number at a random place between the next lower and the next higher; equal ones stay equal. */
function nudged (cells: readonly string[], key: string, seed: number): string[] {
  const values = cells.filter(cell => number.test(cell)).map(decimalOf)
  const scale = Math.max(0, ...values.map(value => value.scale))
  const units = [...new Set(values.map(value => unitsAt(value, scale)))].sort((a, b) => a < b ? -1 : 1)
  return cells.map(cell => {
    if (!number.test(cell)) return cell
    const value = decimalOf(cell)
    const own = unitsAt(value, scale)
    const at = units.indexOf(own)
    const [lower = own, higher = own] = [units[at - 1], units[at + 1]]
    // Less than half of the way: neighbours that both move do not meet.
    const [down, up] = [(own - lower) * 2n / 5n, (higher - own) * 2n / 5n]
    const step = BigInt(Math.floor(fractionOf(seed, 'nudge', key, own.toString()) * 1_000))
    const fresh = own - down + (down + up) * step / 1_000n
    const coarse = 10n ** BigInt(scale - value.scale)
    return printed({ units: fresh / coarse, scale: value.scale })
  })
}

function unitsAt ({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale)
}

/** The same numbers so that the entries of `series` go as wanted in their order. */
export function ordered (excerpt: Excerpt, { entries }: Series, wanted: Trend): Excerpt {
  const up = entries.map(({ value }) => value).sort(compare)
  const values = sortedAs(up, wanted)
  const rows = excerpt.rows.map(row => [...row])
  for (const [i, { row, column }] of entries.entries()) {
    const value = values[i]
    const line = rows[row]
    if (value !== undefined && line !== undefined) line[column] = printed(value)
  }
  return { columns: excerpt.columns, rows }
}

function sortedAs (up: readonly Decimal[], wanted: Trend): Decimal[] {
  const down = [...up].reverse()
  const evens = (values: readonly Decimal[], odd: number) => values.filter((_, i) => i % 2 === odd)
  if (wanted === 'rises') return [...up]
  if (wanted === 'falls') return down
  // The extreme number is the turn; the others lie on both sides of it.
  if (wanted === 'rises-falls') return [...evens(up, 0), ...evens(up, 1).reverse()]
  return [...evens(down, 0), ...evens(down, 1).reverse()]
}
