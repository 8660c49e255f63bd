/** Filters of the page: choices, and the style rules that hide what they leave out. No script runs. */
import type { RowWarning, ScoreTable } from '../../../../shared/contracts/score-table.ts'
import { html, trusted, type Markup } from '../../domain/report/html.ts'
import { sizeEdges, versionsIn, warningClass } from './page-rows.ts'
import { meaningOf } from './row-warnings.ts'

interface Choice { value: string, words: string, hides: string }
interface Filter { name: string, choices: Choice[] }

export function filters (table: ScoreTable): { controls: Markup, rules: Markup } {
  const found = filtersOf(table).filter(({ choices }) => choices.length > 0)
  const rules = found.flatMap(({ choices }) => choices.map(({ value, hides }) =>
    `.board:has(option[value=${value}]:checked) .r${hides}{display:none}`))
  return {
    rules: trusted(rules.join('\n')),
    controls: html`<div class="filters" role="group" aria-label="Filters">${found.map(({ name, choices }) => html`<label>${name} <select autocomplete="off"><option value="any">any</option>${choices.map(({ value, words }) => html`<option value="${value}">${words}</option>`)}</select></label>`)}</div>`
  }
}

const only = (value: string, words: string, of = value): Choice => ({ value, words, hides: `:not(.${of})` })

function filtersOf (table: ScoreTable): Filter[] {
  const { rows } = table
  const codes = [...new Set(rows.flatMap(row => row.warnings.map(({ code }) => code)))].sort()
  const versions = versionsIn(table)
  return [
    { name: 'Weights', choices: [only('p0', 'open'), only('p1', 'proprietary')] },
    { name: 'Made for Korean', choices: [only('k1', 'yes'), only('k0', 'no')] },
    { name: 'Vision', choices: [only('v1', 'yes'), only('v0', 'no')] },
    { name: 'Reasoning', choices: [only('g1', 'yes'), only('g0', 'no')] },
    { name: 'Parameters from', choices: [...sizeEdges.map((edge, at) => ({ value: `from${at}`, words: `${edge} B`, hides: hidden(at + 1, 'below') })), only('zu', 'not known')] },
    { name: 'below', choices: sizeEdges.map((edge, at) => ({ value: `to${at}`, words: `${edge} B`, hides: hidden(at, 'above') })) },
    { name: 'Version of the items', choices: versions.length < 2 ? [] : versions.map((version, at) => only(`e${at}`, version ?? 'not given')) },
    { name: 'Without rows that', choices: codes.map(code => ({ value: `not-${code}`, words: shortOf(code), hides: `.${warningClass(code)}` })) }
  ]
}

/** Size classes below the one that begins at an edge, or above the one that ends there. */
function hidden (edge: number, side: 'below' | 'above'): string {
  const classes = Array.from({ length: sizeEdges.length + 1 }, (_, at) => at)
    .filter(at => side === 'below' ? at < edge : at > edge)
  return `:is(${classes.map(at => `.z${at},`).join('')}.zu)`
}

const words: Partial<Record<RowWarning['code'], string>> = {
  'fewer-items': 'were not asked all items',
  'judged-fewer': 'were judged on fewer rationales',
  'no-version': 'give no version',
  'not-rescored': 'were not scored again after a repair',
  'placeholder-time': 'have a placeholder for a time',
  'no-time': 'give no time'
}

function shortOf (code: RowWarning['code']): string {
  return words[code] ?? `have this fault: ${meaningOf(code)}`
}
