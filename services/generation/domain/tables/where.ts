/** Questions with a condition on another column: among the rows that share a word, which is highest? */
import { shuffled } from '../seeded.ts'
import { compare } from './decimal.ts'
import type { Grid } from './grid.ts'
import type { Heading } from './headings.ts'
import { extreme, type Question } from './operations.ts'
import { namedColumns, type Series } from './series.ts'

const classesMax = 8

export function argmaxWhere (grid: Grid, series: Series, seed: number): Question | undefined {
  if (series.along !== 'rows') return undefined
  const conditions = conditionsOf(grid).filter(({ column }) => column.index !== series.fixed.index)
  const order = shuffled(conditions, seed, ({ column, equals }) =>
    `where ${series.fixed.index} ${column.index} ${equals}`)
  for (const { column, equals } of order) {
    const inside = series.entries.filter(({ row }) => grid.textAt(row, column.index).trim() === equals)
    const where = { column: column.path, equals }
    const within = { ...series, entries: inside }
    const found = extreme({ series: within, seed, operation: 'argmax-where', rank: 0, highest: true, where })
    if (found === undefined) continue
    // Who forgets the condition takes the highest of all: that must be among the choices.
    const outside = series.entries.filter(entry => !inside.includes(entry))
    const best = outside.sort((a, b) => compare(b.value, a.value)).slice(0, 1).map(({ label }) => label)
    const misses = new Set([...found.misses.slice(0, 1), ...best, ...found.misses.slice(1)])
    return { ...found, series, misses: [...misses] }
  }
  return undefined
}

interface Condition { column: Heading, equals: string }

/** Columns of words that part the rows into a few classes. */
function conditionsOf (grid: Grid): Condition[] {
  return namedColumns(grid).flatMap(column => {
    const worded = grid.rows.every(({ index }) => grid.cellAt(index, column.index).kind === 'words')
    const classes = new Set(grid.rows.map(({ index }) => grid.textAt(index, column.index).trim()))
    if (!worded || classes.size < 2 || classes.size > classesMax) return []
    return [...classes].map(equals => ({ column, equals }))
  })
}
