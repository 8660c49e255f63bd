/** The report as CSV, and text that means nothing to Markdown or a spreadsheet. */
import type { Report } from '../../../../shared/contracts/report.ts'
import { outcomes } from '../../../../shared/contracts/run.ts'

/** One line in which Markdown and HTML mean nothing. */
export function inline (text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>#|!~]/g, character => `\\${character}`)
}

const columns = ['model', 'runId', 'kind', 'dimension', 'slice', 'metric', 'value', 'n', 'papers', 'low', 'high', 'level', 'method', 'note', 'reason', 'signature', ...outcomes, 'itemsOfOwnMethod']

/**
 * One row a score (RFC 4180, CRLF); an empty cell is "no data". The last columns say how the items
 * of the slice ended, and how many of the benchmark's items were made by the model's own method.
 */
export function reportCsv ({ runs }: Report): string {
  const slices = runs.flatMap(({ model, runId, itemsOfOwnMethod, slices }) =>
    slices.map(slice => ({ model, runId, itemsOfOwnMethod, ...slice })))
  const rows = slices.flatMap(({ scores, outcomes: counts, ...slice }) =>
    scores.map(({ metric, value, n, clusters, interval, reason, signature }) => [
      slice.model, slice.runId, slice.kind, slice.dimension, slice.value, metric, value, n, clusters,
      interval?.low, interval?.high, interval?.level, interval?.method, interval?.note, reason, signature,
      ...outcomes.map(outcome => counts[outcome] ?? 0), slice.itemsOfOwnMethod
    ]))
  return [columns, ...rows].map(row => `${row.map(csvField).join(',')}\r\n`).join('')
}

/** A spreadsheet must not take text for a formula, so text that begins like one gets an apostrophe. */
export function csvField (value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const runs = /^[\t\r\n]/u.test(value) || /^[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u.test(value.trimStart())
  const text = runs ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
