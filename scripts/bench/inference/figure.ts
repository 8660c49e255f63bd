/** What a bench says: one row for each figure, with the bar it is held against. */

export interface Figure {
  what: string
  measured: string
  /** Where the project has set itself one. */
  bar?: string
  met?: boolean
  /** Of how many, and how. */
  n: string
  /** The numbers themselves, for --json. */
  values: Record<string, number | string>
}

export interface Settings {
  /** Interleaved: each round measures every side once. */
  rounds: number
  /** Of one measurement. */
  seconds: number
}

export function table (figures: readonly Figure[]): string {
  const rows = figures.map(({ what, bar = '-', met, measured, n }) =>
    `| ${what} | ${bar}${met === undefined ? '' : met ? ', met' : ', **missed**'} | ${measured} | ${n} |`)
  return ['| what | bar | measured | n |', '|---|---|---|---|', ...rows].join('\n')
}

/** @param share  0 to 1; of the sorted values, by nearest rank */
export function quantile (values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? NaN
}

export function median (values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function milliseconds (value: number): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`
}
