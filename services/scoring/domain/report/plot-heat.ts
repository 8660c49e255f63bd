/** Heat map: how alike the metrics order the runs. */
import type { RankCorrelation, Report } from '../../../../shared/contracts/report.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { html, type Markup } from './html.ts'
import { kindNames, metricName } from './numbers.ts'
import { percent } from './plot-parts.ts'
import { noPlot, type Plot } from './plot.ts'
import { runsForClaim } from './rank-correlations.ts'

const cellHeight = 44
const headHeight = 26
const labelShare = 0.38

const columns = ['first', 'second', 'tau-b', 'low', 'high', 'n', 'p', 'reason']

export function heatPlot ({ rankCorrelations = [] }: Report): Plot {
  const head = {
    name: 'rank-correlations',
    title: 'Do the metrics order the runs alike?',
    about: `Kendall's tau-b over the runs of models (baselines left out): 1 the same order, 0 none, −1 the opposite. Below ${runsForClaim} runs it is no claim: with four a perfect order has p = .083.`
  }
  const names = [...new Set(rankCorrelations.flatMap(({ first, second }) => [first, second]))]
  if (names.length === 0) return noPlot(head, 'Fewer than two metrics have a value for a run of a model.', columns)
  const table = {
    columns,
    rows: rankCorrelations.map(({ first, second, tau, interval, n, p, reason }) =>
      [say(first), say(second), tau, interval?.low ?? null, interval?.high ?? null, n, p, reason ?? null])
  }
  if (rankCorrelations.every(({ tau }) => tau === null)) {
    return { ...noPlot(head, rankCorrelations[0]!.reason ?? 'No correlation is defined.'), table }
  }
  const width = (1 - labelShare) / names.length
  return {
    ...head,
    said: rankCorrelations.map(({ first, second, tau, n }) => `${say(first)} and ${say(second)} ${written(tau)} (n = ${n})`).join('; '),
    table,
    chart: {
      height: headHeight + names.length * cellHeight,
      markup: html`${names.map((name, row) => html`<text class="value" x="0" y="${headHeight + row * cellHeight + 18}"><tspan class="name">${row + 1}</tspan> ${say(name).split(': ')[0]}<title>${say(name)}</title></text><text class="tick" x="14" y="${headHeight + row * cellHeight + 33}">${say(name).split(': ')[1]}</text><text class="tick" x="${percent(labelShare + (row + 0.5) * width)}" y="16" text-anchor="middle">${row + 1}</text>`)}
${names.flatMap((first, row) => names.map((second, column) => cell(found(rankCorrelations, first, second), { row, column, width })))}`,
      legend: []
    }
  }
}

function say (name: string): string {
  const [kind, metric] = name.split('/')
  return `${kindNames[kind as ItemKind]}: ${metricName(metric ?? '')}`
}

function written (tau: number | null): string {
  return tau === null ? '–' : tau.toFixed(2).replace('-', '−')
}

function found (all: readonly RankCorrelation[], first: string, second: string): RankCorrelation | undefined {
  if (first === second) return undefined
  return all.find(one => [first, second].every(name => [one.first, one.second].includes(name)))
}

interface Place { row: number, column: number, width: number }

function cell (one: RankCorrelation | undefined, { row, column, width }: Place): Markup {
  const [x, y] = [labelShare + column * width, headHeight + row * cellHeight]
  // The diagonal says nothing.
  const tau = one?.tau ?? null
  const shade = tau === null ? html`<rect class="cell none" x="${percent(x)}" y="${y}" width="${percent(width)}" height="${cellHeight}"/>` : html`<rect class="cell none" x="${percent(x)}" y="${y}" width="${percent(width)}" height="${cellHeight}"/><rect class="cell ${tau < 0 ? 'minus' : 'plus'}" style="fill-opacity:${(0.08 + 0.55 * Math.abs(tau)).toFixed(2)}" x="${percent(x)}" y="${y}" width="${percent(width)}" height="${cellHeight}"/>`
  if (one === undefined) return shade
  return html`${shade}<text class="strong" x="${percent(x + width / 2)}" y="${y + 19}" text-anchor="middle">${written(tau)}</text><text class="tick" x="${percent(x + width / 2)}" y="${y + 35}" text-anchor="middle">n = ${one.n}</text>`
}
