/** A row's fields under the names that K-MetBench's site, or a file of counts, has for them. */
import type { ScoreTableRow, TableSlice } from '../../../../shared/contracts/score-table.ts'
import { tableSlices } from '../../../../shared/contracts/score-table.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { member } from '../../../../shared/text/member.ts'
import { judgeScale } from './kmetbench-facts.ts'

type Facts = Pick<ScoreTableRow,
  'model' | 'name' | 'sizeB' | 'proprietary' | 'korean' | 'vision' | 'reasoning' | 'version' | 'times'>

export interface Counts { right: number | null, n: number }

export interface RowFields extends Facts {
  percents: Readonly<Record<TableSlice, number | null>>
  /** Where the row has them. */
  counts: ReadonlyMap<TableSlice, Counts>
  judgedMean: number | null
  judgedN: number | null
}

/** Each under its names, the site's first. */
const names = {
  model: ['model_key', 'model'],
  name: ['display_model_name', 'canonical_model_name', 'display', 'model_key', 'model'],
  sizeB: ['model_size_b', 'size_b'],
  proprietary: ['is_proprietary_model', 'proprietary'],
  korean: ['is_korean_model', 'korean_model'],
  vision: ['is_vision_model', 'vision'],
  reasoning: ['is_reasoning_model', 'reasoning_model'],
  version: ['dataset_version', 'dataset_revision'],
  times: ['timestamps', 'run_timestamps'],
  judged: ['reasoning_total', 'reasoning_4_20']
} as const

const percentNames: Record<TableSlice, readonly string[]> = {
  all: ['accuracy_pct', 'acc'],
  text: ['text_pct', 'text_only_pct', 'text'],
  multimodal: ['multimodal_pct', 'multi'],
  korean: ['korean_pct', 'geo_pct', 'geo'],
  part1: ['part1_pct', 'p1'],
  part2: ['part2_pct', 'p2'],
  part3: ['part3_pct', 'p3'],
  part4: ['part4_pct', 'p4'],
  part5: ['part5_pct', 'p5']
}

/** @param pointer  of the row. @throws Problem invalid-request */
export function fieldsOf (row: unknown, pointer: string): RowFields {
  const at = reader(row, pointer)
  const percents = Object.fromEntries(tableSlices.map(slice =>
    [slice, at.number(percentNames[slice], [0, 100])])) as Record<TableSlice, number | null>
  if (percents.all === null) throw wrong(`${pointer}/${percentNames.all[0]}`, 'is missing: a row is of an accuracy, in per cent')
  return {
    model: at.text(names.model, 300) ?? missing(pointer, names.model[0]),
    name: at.text(names.name, 300) ?? missing(pointer, names.name[0]),
    sizeB: at.number(names.sizeB, [Number.MIN_VALUE, 1_000_000]),
    proprietary: at.flag(names.proprietary),
    korean: at.flag(names.korean),
    vision: at.flag(names.vision),
    reasoning: at.flag(names.reasoning),
    version: at.text(names.version, 100),
    times: timesOf(at.any(names.times), pointer),
    percents,
    counts: countsOf(row, pointer),
    judgedMean: at.number(names.judged, [judgeScale.lowest, judgeScale.highest]),
    judgedN: wholeOr(member(member(row, 'derived'), 'reasoning_n') ?? member(row, 'reasoning_n'), `${pointer}/reasoning_n`)
  }
}

function reader (row: unknown, pointer: string) {
  const found = (wanted: readonly string[]): [string, unknown] => {
    const name = wanted.find(each => member(row, each) !== undefined && member(row, each) !== null)
    return name === undefined ? [wanted[0]!, null] : [name, member(row, name)]
  }
  return {
    any: (wanted: readonly string[]) => found(wanted)[1],
    text (wanted: readonly string[], max: number): string | null {
      const [name, value] = found(wanted)
      if (value === null) return null
      if (typeof value === 'string' && value.trim() !== '' && value.length <= max) return value
      throw wrong(`${pointer}/${name}`, `must be text of 1 to ${max} characters`)
    },
    number (wanted: readonly string[], [least, most]: readonly [number, number]): number | null {
      const [name, value] = found(wanted)
      if (value === null) return null
      if (typeof value === 'number' && value >= least && value <= most) return value
      throw wrong(`${pointer}/${name}`, least < 1e-9 && least > 0 ? `must be a number above 0, at most ${most}` : `must be a number from ${least} to ${most}, or null`)
    },
    flag (wanted: readonly string[]): boolean | null {
      const [name, value] = found(wanted)
      if (value === null || typeof value === 'boolean') return value
      throw wrong(`${pointer}/${name}`, 'must be true, false or null')
    }
  }
}

const timesMax = 20

function timesOf (value: unknown, pointer: string): Facts['times'] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).slice(0, timesMax).flatMap(([of, at]) => {
    if (at === null || at === undefined) return []
    if (typeof at === 'string' && at.length <= 40 && of.length <= 100) return [{ of, at }]
    throw wrong(`${pointer}/timestamps`, 'must have dates as text of at most 40 characters')
  })
}

/** Ours (`counts`, a list) or those beside the published percentages (`derived`). */
function countsOf (row: unknown, pointer: string): Map<TableSlice, Counts> {
  const own = member(row, 'counts')
  if (own !== undefined && own !== null) return listedCounts(own, `${pointer}/counts`)
  const derived = member(row, 'derived')
  if (derived === undefined || derived === null) return new Map()
  return derivedCounts(derived, `${pointer}/derived`)
}

function listedCounts (list: unknown, pointer: string): Map<TableSlice, Counts> {
  if (!Array.isArray(list) || list.length > tableSlices.length) throw wrong(pointer, `must be a list of at most ${tableSlices.length} counts`)
  return new Map(list.map((entry, at) => {
    const slice = tableSlices.find(name => name === member(entry, 'slice'))
    if (slice === undefined) throw wrong(`${pointer}/${at}/slice`, `must be one of ${tableSlices.join(', ')}`)
    return [slice, pairOf([member(entry, 'right'), member(entry, 'n')], `${pointer}/${at}`)]
  }))
}

function derivedCounts (derived: unknown, pointer: string): Map<TableSlice, Counts> {
  const of = (name: string) => member(derived, name)
  const pair = (right: unknown, n: unknown, name: string) => pairOf([right, n], `${pointer}/${name}`)
  const all = pair(of('correct'), of('n'), 'n')
  const counts = new Map<TableSlice, Counts>([['all', all]])
  if (of('multi_correct') === null) {
    counts.set('text', all).set('multimodal', { right: null, n: 0 })
  }
  if (of('geo_n') !== undefined) counts.set('korean', pair(of('geo_correct'), of('geo_n'), 'geo_n'))
  const [ns, rights] = [of('parts_n'), of('parts_correct')]
  if (Array.isArray(ns) && Array.isArray(rights)) {
    for (const [at, slice] of (['part1', 'part2', 'part3', 'part4', 'part5'] as const).entries()) {
      counts.set(slice, pair(rights[at], ns[at], `parts_n/${at}`))
    }
  }
  return counts
}

function pairOf ([right, n]: readonly [unknown, unknown], pointer: string): Counts {
  const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1e9
  if (!isCount(n) || !Number.isInteger(n)) throw wrong(pointer, 'must have n as a whole number of items')
  if (right === null && n === 0) return { right: null, n }
  if (!isCount(right) || right > n) throw wrong(pointer, `must have from 0 to ${n} right ones`)
  return { right: n === 0 ? null : right, n }
}

function wholeOr (value: unknown, pointer: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1e9) return value
  throw wrong(pointer, 'must be a whole number of judged replies')
}

function missing (pointer: string, name: string): never {
  throw wrong(`${pointer}/${name}`, 'is missing')
}

function wrong (pointer: string, detail: string): Problem {
  return new Problem('invalid-request', `${pointer} ${detail}.`, { errors: [{ pointer, detail }] })
}
