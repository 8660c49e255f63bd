/** The bank's soundings. */
import type { Chart, Mark, Point } from './marks.ts'
import { black, circle, green, grey, line, rectangle, red, words } from './marks.ts'
import { skewT } from './skew-t.ts'

/** Of the item that asks for the condensation level; its gold is computed from these. */
export const liftedAir = { temperature: 25, dewPoint: 12, hPa: 1000 }

export const inversionChart = skewT({
  title: '06:00 local time, clear sky',
  levels: [
    { hPa: 1000, temperature: 3, dewPoint: 2.2, wind: { from: 20, knots: 5 } },
    { hPa: 975, temperature: 6.5, dewPoint: 3 },
    { hPa: 950, temperature: 9.5, dewPoint: 3.5 },
    { hPa: 900, temperature: 6.5, dewPoint: -1 },
    { hPa: 850, temperature: 3.5, dewPoint: -6, wind: { from: 270, knots: 20 } },
    { hPa: 700, temperature: -6.5, dewPoint: -18, wind: { from: 275, knots: 35 } },
    { hPa: 500, temperature: -23, dewPoint: -37, wind: { from: 280, knots: 50 } },
    { hPa: 400, temperature: -35, dewPoint: -48, wind: { from: 280, knots: 65 } },
    { hPa: 300, temperature: -49, dewPoint: -60, wind: { from: 285, knots: 80 } }
  ]
})

export const condensationChart = skewT({
  title: 'Air lifted from 1000 hPa (dashed)',
  parcel: true,
  levels: [
    { ...liftedAir },
    { hPa: 925, temperature: 19.5, dewPoint: 10 },
    { hPa: 850, temperature: 14, dewPoint: 6 },
    { hPa: 700, temperature: 3, dewPoint: -7 },
    { hPa: 600, temperature: -5.5, dewPoint: -18 },
    { hPa: 500, temperature: -15.5, dewPoint: -30 },
    { hPa: 400, temperature: -29, dewPoint: -44 },
    { hPa: 300, temperature: -45, dewPoint: -58 }
  ]
})

export const freezingRainChart = skewT({
  title: 'Saturated air from the ground to 600 hPa; precipitation falls',
  levels: [
    { hPa: 1000, temperature: -3, dewPoint: -3.4, wind: { from: 40, knots: 10 } },
    { hPa: 950, temperature: -5, dewPoint: -5.3 },
    { hPa: 900, temperature: 1.5, dewPoint: 1 },
    { hPa: 850, temperature: 5.5, dewPoint: 5, wind: { from: 190, knots: 35 } },
    { hPa: 800, temperature: 4.5, dewPoint: 4 },
    { hPa: 700, temperature: -1.5, dewPoint: -2, wind: { from: 220, knots: 45 } },
    { hPa: 600, temperature: -8.5, dewPoint: -9.2 },
    { hPa: 500, temperature: -17.5, dewPoint: -22, wind: { from: 235, knots: 60 } },
    { hPa: 400, temperature: -29, dewPoint: -38 },
    { hPa: 300, temperature: -44, dewPoint: -56, wind: { from: 240, knots: 80 } }
  ]
})

/** °C at heights in metres, through a spring day. */
const morning: ReadonlyArray<{ hour: string, profile: readonly Point[] }> = [
  { hour: '06:00', profile: [[4, 0], [9.5, 300], [8.5, 500], [6, 1000], [3.5, 1500], [1, 2000]] },
  { hour: '09:00', profile: [[9.8, 0], [8.3, 150], [9.6, 300], [8.5, 500], [6, 1000], [3.5, 1500], [1, 2000]] },
  { hour: '12:00', profile: [[14.5, 0], [7.6, 700], [6, 1000], [3.5, 1500], [1, 2000]] },
  { hour: '15:00', profile: [[18, 0], [3.7, 1460], [1, 2000]] }
]

export const morningTimes = morning.map(({ hour }) => `2026-04-11T${hour}+09:00`)
export const morningCharts: Chart[] = morning.map(({ hour, profile }) => profileChart(`${hour} local time`, profile))

interface ProfileLook { low: number, high: number, top: number }

interface Box { x: number, y: number, width: number, height: number }

function axes ({ low, high, top }: ProfileLook, box: Box) {
  const at = ([celsius, metres]: Point): Point =>
    [box.x + (celsius - low) / (high - low) * box.width, box.y + box.height * (1 - metres / top)]
  const marks: Mark[] = []
  for (let celsius = low; celsius <= high; celsius += 5) {
    marks.push(line([at([celsius, 0]), at([celsius, top])], { stroke: '#d8d8d8', width: 1 }))
    marks.push(words(String(celsius), [at([celsius, 0])[0], box.y + box.height + 20], { size: 14 }))
  }
  for (let metres = 0; metres <= top; metres += 500) {
    marks.push(line([at([low, metres]), at([high, metres])], { stroke: '#d8d8d8', width: 1 }))
    marks.push(words(String(metres), [box.x - 8, at([0, metres])[1] + 5], { size: 14, anchor: 'end' }))
  }
  marks.push(rectangle([box.x, box.y], [box.width, box.height], { stroke: black, width: 1.5 }))
  return { at, marks }
}

function profileChart (title: string, profile: readonly Point[]): Chart {
  const box = { x: 70, y: 40, width: 420, height: 300 }
  const { at, marks } = axes({ low: -5, high: 25, top: 2000 }, box)
  return {
    width: 520,
    height: 400,
    marks: [
      ...marks, line(profile.map(at), { stroke: red, width: 3 }),
      ...profile.map(point => circle(at(point), 3.5, { fill: red })),
      words(title, [box.x, 26], { size: 16, anchor: 'start' }),
      words('Temperature (°C)', [box.x + box.width / 2, box.y + box.height + 42], { size: 14 }),
      words('Height (m)', [18, box.y + box.height / 2], { size: 14, turn: 90 })
    ]
  }
}

/** °C/km of the air itself; dry and saturated adiabats are drawn beside it. */
export const lapseRates = {
  dry: 9.8, saturated: 5.5, absolutelyUnstable: 13, conditionally: 7.5, stable: 2.5, inversion: -4
} as const

type Stability = 'absolutelyUnstable' | 'conditionally' | 'stable' | 'inversion'

export function stabilityChart (stability: Stability): Chart {
  const box = { x: 62, y: 34, width: 300, height: 210 }
  const { at, marks } = axes({ low: 0, high: 30, top: 1500 }, box)
  const start = 20
  const fall = (rate: number): Point[] => [at([start, 0]), at([start - rate * 1.5, 1500])]
  return {
    width: 390,
    height: 304,
    marks: [
      ...marks,
      line(fall(lapseRates.dry), { stroke: grey, width: 2, dash: [8, 5] }),
      line(fall(lapseRates.saturated), { stroke: green, width: 2, dash: [2, 3] }),
      line(fall(lapseRates[stability]), { stroke: red, width: 3.5 }),
      words('dry', [at([5.3, 0])[0], box.y - 8], { size: 14, colour: '#5a5a5a' }),
      words('moist', [at([12.5, 0])[0], box.y - 8], { size: 14, colour: green }),
      words('Temperature (°C)', [box.x + box.width / 2, box.y + box.height + 42], { size: 14 }),
      words('Height (m)', [16, box.y + box.height / 2], { size: 14, turn: 90 })
    ]
  }
}
