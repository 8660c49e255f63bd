/** Charts of the page: a metric against parameters on a log axis, one shown at a time. */
import { html, trusted, type Markup } from '../../domain/report/html.ts'
import { placeOn, round, scaleOf, ticksIn, type Scale } from '../../domain/report/plot-parts.ts'
import { said, sizeClass, type Metric, type PageRow, type Value } from './page-rows.ts'
import { labelsIn, type Anchored } from './page-labels.ts'

const [width, height] = [1180, 430]
const [left, right, top, bottom] = [52, 1160, 22, 390]
/** Points of one chart: more cannot be told apart. */
const pointsMax = 500

interface Point extends Value { of: PageRow, x: number | null, y: number }

export function * charts (
  rows: readonly PageRow[], metrics: readonly Metric[]
): Generator<void, { markup: Markup, rules: Markup }> {
  const figures: Markup[] = []
  for (const metric of metrics) {
    figures.push(figureOf(rows, metric))
    yield
  }
  return {
    markup: html`<div class="tabs" role="radiogroup" aria-label="Metric of the chart">${metrics.map((metric, at) => html`<label><input type="radio" name="chart" id="m-${metric.id}" autocomplete="off"${at === 0 ? trusted(' checked') : null}><span>${metric.short}</span></label>`)}</div>${figures}`,
    rules: trusted(metrics.map(({ id }) => `.board:has(#m-${id}:checked) .m-${id}{display:block}`).join('\n'))
  }
}

function figureOf (rows: readonly PageRow[], metric: Metric): Markup {
  const valued = rows.flatMap(of => {
    const value = of.values.get(metric.id)
    return value === undefined ? [] : [{ of, value }]
  })
  const drawn = valued.slice(0, pointsMax)
  const sizes = drawn.flatMap(({ of }) => of.row.sizeB ?? [])
  const up = upScale(drawn.map(({ value }) => value), metric)
  const along = alongScale(sizes)
  const points = drawn.map(({ of, value }): Point => ({
    ...value,
    of,
    x: of.row.sizeB === null ? null : round(placeOn(along, Math.log10(of.row.sizeB))),
    y: round(placeOn(up, value.value))
  }))
  const nMax = Math.max(0, ...points.map(({ n }) => n ?? 0))
  const unsized = points.filter(({ x }) => x === null)
  const more = valued.length > drawn.length ? ` The first ${drawn.length} of ${valued.length} rows are drawn.` : ''
  const missing = rows.length - valued.length
  return html`<figure class="plot m-${metric.id}"><figcaption><b>${metric.name} against parameters</b>${legend}</figcaption>
<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${`${metric.name} against parameters on a logarithmic axis, ${points.length} models. The table below has every number.`}">
${axes(along, up, metric)}${unsized.map(point => unsizedLine(point))}${points.map(point => point.x === null ? null : mark(point, { up, metric, nMax }))}${labelsOf(points)}
</svg><p class="about">${metric.about} ${missing === 0 ? '' : `${missing} rows have no data of it. `}Hollow: of fewer than ${nMax}${metric.slice === null ? ' rationales' : ' items'}, or of how many is not known. Dashed lines: models whose size is not known. Named: the best of each class of size.${more}</p></figure>`
}

const legend = html`<span class="legend"><span><svg width="14" height="12" aria-hidden="true"><circle class="s-0" cx="7" cy="6" r="5"/></svg> open weights</span> <span><svg width="14" height="12" aria-hidden="true"><circle class="s-1" cx="7" cy="6" r="5"/></svg> proprietary</span> <span><svg width="14" height="12" aria-hidden="true"><circle class="s-7" cx="7" cy="6" r="5"/></svg> not said</span> <span><svg width="14" height="12" aria-hidden="true"><path class="s-0" d="M7 0 13 11H1Z"/></svg> can reason</span> <span><svg width="14" height="12" aria-hidden="true"><line class="thin" x1="7" x2="7" y1="0" y2="12"/></svg> 95 % interval</span></span>`

function upScale (values: readonly Value[], { slice }: Metric): Scale {
  const ends = values.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])
  return scaleOf(ends, { from: bottom, to: top, limits: slice === null ? [4, 20] : [0, 1] })
}

/** In powers of ten, a little beyond the models; from 1 to 100 where none has a size. */
function alongScale (sizes: readonly number[]): Scale {
  const logs = sizes.map(size => Math.log10(size))
  const [low, high] = logs.length === 0 ? [0, 2] : [Math.min(...logs) - 0.08, Math.max(...logs) + 0.08]
  return { low, high, from: left + 8, to: right }
}

function axes (along: Scale, up: Scale, metric: Metric): Markup {
  const powers = Array.from({ length: 9 }, (_, at) => at - 2)
  const ticks = powers.flatMap(power => [1, 2, 5].map(digit => ({ digit, size: digit * 10 ** power })))
    .filter(({ size }) => Math.log10(size) >= along.low && Math.log10(size) <= along.high)
  return html`${ticksIn(up, 6).map(tick => {
    const y = round(placeOn(up, tick))
    return html`<line class="grid" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><text class="tick" x="${left - 6}" y="${y + 4}" text-anchor="end">${metric.slice === null ? tick : `${Math.round(100 * tick)} %`}</text>`
  })}${ticks.map(({ size }) => {
    const x = round(placeOn(along, Math.log10(size)))
    return html`<line class="grid" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/><text class="tick" x="${x}" y="${bottom + 17}" text-anchor="middle">${Number(size.toPrecision(2))} B</text>`
  })}<text class="tick" x="${right}" y="${height - 6}" text-anchor="end">→ parameters, log scale</text>`
}

function unsizedLine ({ of, y }: Point): Markup {
  return html`<g class="${of.classes}"><line class="unsized ${colourOf(of)}" x1="${left}" x2="${right}" y1="${y}" y2="${y}"><title>${titleOf(of)}</title></line></g>`
}

interface Drawing { up: Scale, metric: Metric, nMax: number }

function mark (point: Point, { up, metric, nMax }: Drawing): Markup {
  const { of, x, y, value, low, high, n } = point
  const whisker = low === null || high === null
    ? null
    : html`<line class="thin" x1="${x}" x2="${x}" y1="${round(placeOn(up, high))}" y2="${round(placeOn(up, low))}"/>`
  const hollow = n === null || n < nMax ? ' hollow' : ''
  const classes = `pt ${colourOf(of)}${hollow}`
  const shape = of.row.reasoning === true
    ? html`<path class="${classes}" d="M${x!} ${round(y - 6.5)} ${round(x! + 6)} ${round(y + 4.5)} ${round(x! - 6)} ${round(y + 4.5)}Z">${title(point, metric, value)}</path>`
    : html`<circle class="${classes}" cx="${x}" cy="${y}" r="5">${title(point, metric, value)}</circle>`
  return html`<g class="${of.classes}">${whisker}${shape}</g>`
}

function title ({ of, n }: Point, metric: Metric, value: number): Markup {
  return html`<title>${titleOf(of)}: ${said(metric, value)}${metric.slice === null ? '' : ' %'}, n = ${n ?? 'not known'}</title>`
}

const titleOf = ({ row }: PageRow) => `${row.name}${row.sizeB === null ? ', size not known' : `, ${row.sizeB} B`}`

function colourOf ({ row: { proprietary } }: PageRow): string {
  return proprietary === null ? 's-7' : proprietary ? 's-1' : 's-0'
}

/** The best of each size class, and those that have no size, where there is room for the name. */
function labelsOf (points: readonly Point[]): Markup {
  const best = new Map<number, Point>()
  for (const point of points) {
    const size = sizeClass(point.of.row.sizeB)
    if (size === null) continue
    const before = best.get(size)
    if (before === undefined || point.value > before.value) best.set(size, point)
  }
  const unsized = points.filter(({ x }) => x === null)
  const wanted = [
    ...unsized.map((point): Anchored<Point> => ({ of: point, text: point.of.row.name, x: left + 4, y: point.y, side: 'along' })),
    ...[...best.values()].map((point): Anchored<Point> => ({ of: point, text: point.of.row.name, x: point.x!, y: point.y, side: 'around' }))
  ]
  const marks = points.flatMap(({ x, y }) => x === null ? [] : [{ x, y }])
  return html`${labelsIn(wanted, marks, { left, right, top: 4, bottom }).map(({ of, x, y, anchor, text }) => html`<g class="${of.of.classes}"><text class="value label" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${text}</text></g>`)}`
}
