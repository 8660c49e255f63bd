/** How many items each slice has, where a file says so itself. */
import type { TableSlice } from '../../../../shared/contracts/score-table.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { SliceSizes } from './kmetbench-facts.ts'

const scalars = ['total', 'text', 'multimodal', 'geo_all', 'geo_text', 'reasoning_all', 'reasoning_text'] as const
const sizeMax = 10_000_000

/** `subsets` of a file; undefined where it has none. @throws Problem invalid-request */
export function sizesOf (file: Record<string, unknown>): SliceSizes | undefined {
  const { subsets } = file
  if (subsets === undefined || subsets === null) return undefined
  const given = subsets as Record<string, unknown>
  const whole = (value: unknown, name: string): number => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= sizeMax) return value
    throw wrong(name, 'must be a whole number of items')
  }
  const [total, text, multimodal, geoAll, geoText, reasoningAll, reasoningText] = scalars.map(name =>
    whole(given[name], name)) as [number, number, number, number, number, number, number]
  const parts = (name: 'parts_all' | 'parts_text') => {
    const list = given[name]
    if (!Array.isArray(list) || list.length !== 5) throw wrong(name, 'must be five whole numbers')
    const of = list.map((value, at) => whole(value, `${name}/${at}`)) as [number, number, number, number, number]
    return { part1: of[0], part2: of[1], part3: of[2], part4: of[3], part5: of[4] }
  }
  const all: Record<TableSlice, number> = { all: total, text, multimodal, korean: geoAll, ...parts('parts_all') }
  const textOnly: Record<TableSlice, number> = { all: text, text, multimodal: 0, korean: geoText, ...parts('parts_text') }
  return { all, textOnly, judged: { all: reasoningAll, textOnly: reasoningText } }
}

function wrong (name: string, detail: string): Problem {
  return new Problem('invalid-request', `/body/subsets/${name} ${detail}; leave subsets out where the items are K-MetBench's.`, {
    errors: [{ pointer: `/body/subsets/${name}`, detail }]
  })
}
