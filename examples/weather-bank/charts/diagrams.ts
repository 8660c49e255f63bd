/** Wind barbs, a station model, a hodograph, a climate diagram and radar pictures. */
import { barb, stationModel, type Wind } from './barb.ts'
import { arrow, black, blue, circle, ellipse, grey, line, rectangle, red, smooth, words, type Chart, type Mark, type Point } from './marks.ts'

export const readWind: Wind = { from: 300, knots: 65 }

function compass ([x, y]: Point): Mark[] {
  return [...arrow([x, y + 22], [x, y - 22], { width: 2 }), words('N', [x, y - 28], { size: 16, bold: true })]
}

function barbChart (wind: Wind, size: Point): Chart {
  const [width, height] = size
  const centre: Point = [width / 2, height / 2]
  return {
    width,
    height,
    marks: [
      rectangle([1, 1], [width - 2, height - 2], { stroke: grey, width: 1.5 }), ...compass([width - 34, 62]),
      ...barb(centre, wind, { size: height * 0.36, width: 3 }), circle(centre, 6, { fill: black })
    ]
  }
}

export const windBarbChart = barbChart(readWind, [400, 320])

/** Of the item whose choices are barbs. */
export const choiceWinds: readonly Wind[] = [
  { from: 45, knots: 35 }, { from: 225, knots: 35 }, { from: 225, knots: 75 }, { from: 135, knots: 35 }
]
export const choiceBarbCharts: Chart[] = choiceWinds.map(wind => barbChart(wind, [280, 240]))

export const readStation = {
  wind: { from: 200, knots: 15 }, temperature: 24, dewPoint: 21, pressure: 1004.7, okta: 8, rain: true
} as const

export const stationChart: Chart = {
  width: 440,
  height: 340,
  marks: [
    rectangle([1, 1], [438, 338], { stroke: grey, width: 1.5 }), ...compass([400, 62]),
    ...stationModel([225, 150], readStation, 2.4)
  ]
}

/** Winds with height, veering from the ground up. */
export const veering: ReadonlyArray<{ hPa: number, wind: Wind }> = [
  { hPa: 1000, wind: { from: 140, knots: 15 } }, { hPa: 925, wind: { from: 170, knots: 25 } },
  { hPa: 850, wind: { from: 195, knots: 35 } }, { hPa: 700, wind: { from: 230, knots: 45 } },
  { hPa: 500, wind: { from: 255, knots: 65 } }
]

export const windProfileChart: Chart = (() => {
  const heightOf = (hPa: number) => 400 - 80 * veering.findIndex(each => each.hPa === hPa)
  return {
    width: 420,
    height: 480,
    marks: [
      rectangle([1, 1], [418, 478], { stroke: grey, width: 1.5 }), ...compass([372, 70]),
      words('hPa', [70, 30], { size: 15, anchor: 'end' }),
      line([[230, 40], [230, 450]], { stroke: grey, width: 1.2 }),
      ...veering.flatMap(({ hPa, wind }) => [
        line([[80, heightOf(hPa)], [310, heightOf(hPa)]], { stroke: '#d8d8d8', width: 1 }),
        words(String(hPa), [70, heightOf(hPa) + 5], { size: 15, anchor: 'end' }),
        ...barb([230, heightOf(hPa)], wind, { size: 62, width: 2.2 }),
        circle([230, heightOf(hPa)], 4, { fill: black })
      ])
    ]
  }
})()

/** m/s at the ground and at 6 km; between them for the curve only. */
export const hodograph = { uLow: 4, vLow: 2, uHigh: 22, vHigh: 26 } as const

export const hodographChart: Chart = (() => {
  const [centre, scale] = [[90, 400], 11] as const
  const at = ([u, v]: Point): Point => [centre[0] + u * scale, centre[1] - v * scale]
  const { uLow, vLow, uHigh, vHigh } = hodograph
  const winds: Point[] = [[uLow, vLow], [6, 9], [10, 16], [15, 21.5], [uHigh, vHigh]]
  const ring = (radius: number): Point[] => Array.from({ length: 31 }, (_, step): Point =>
    at([radius * Math.cos(Math.PI / 2 * step / 30), radius * Math.sin(Math.PI / 2 * step / 30)]))
  const end = (point: Point, name: string, offset: Point): Mark[] => [
    circle(at(point), 5, { fill: red }), words(name, [at(point)[0] + offset[0], at(point)[1] + offset[1]], { size: 15, anchor: 'start' })
  ]
  return {
    width: 480,
    height: 450,
    marks: [
      ...[10, 20, 30].map(radius => line(ring(radius), { stroke: '#cfcfcf', width: 1 })),
      ...arrow([60, 400], [455, 400], { width: 1.5 }), ...arrow([90, 425], [90, 45], { width: 1.5 }),
      words('u (m/s)', [444, 388], { size: 15 }), words('v (m/s)', [92, 32], { size: 15 }),
      ...[10, 20, 30].flatMap(tick => [words(String(tick), [at([tick, 0])[0], 418], { size: 14 }), words(String(tick), [82, at([0, tick])[1] + 5], { size: 14, anchor: 'end' })]),
      line(smooth(winds.map(at)), { stroke: red, width: 3 }),
      ...end([uLow, vLow], `0 km (${uLow}, ${vLow})`, [12, 6]), ...end([uHigh, vHigh], `6 km (${uHigh}, ${vHigh})`, [-10, -12])
    ]
  }
})()

/** Monthly means, °C and mm, of a made station of the northern hemisphere. */
export const climate = {
  celsius: [-6, -3, 4, 12, 18, 22, 25, 24.5, 19, 12, 3, -4],
  millimetres: [14, 18, 32, 55, 80, 120, 310, 280, 120, 45, 35, 16]
} as const

export const climateChart: Chart = (() => {
  const box = { x: 64, y: 30, width: 500, height: 320 }
  const month = (at: number) => box.x + (at + 0.5) * box.width / 12
  const warmth = (celsius: number) => box.y + box.height * (1 - (celsius + 10) / 40)
  const rain = (millimetres: number) => box.y + box.height * (1 - millimetres / 400)
  const curve = climate.celsius.map((celsius, at): Point => [month(at), warmth(celsius)])
  return {
    width: 640,
    height: 410,
    marks: [
      ...[-10, 0, 10, 20, 30].flatMap(celsius => [
        line([[box.x, warmth(celsius)], [box.x + box.width, warmth(celsius)]], { stroke: celsius === 0 ? grey : '#dcdcdc', width: 1 }),
        words(String(celsius), [box.x - 8, warmth(celsius) + 5], { size: 14, anchor: 'end', colour: red })]),
      ...climate.millimetres.map((millimetres, at) =>
        rectangle([month(at) - 14, rain(millimetres)], [28, rain(0) - rain(millimetres)], { fill: '#86aee0' })),
      ...[0, 100, 200, 300, 400].map(millimetres =>
        words(String(millimetres), [box.x + box.width + 8, rain(millimetres) + 5], { size: 14, anchor: 'start', colour: blue })),
      line(curve, { stroke: red, width: 3 }), ...curve.map(point => circle(point, 4.5, { fill: red })),
      rectangle([box.x, box.y], [box.width, box.height], { stroke: black, width: 1.5 }),
      ...climate.celsius.map((_, at) =>
        words(String(at + 1), [month(at), box.y + box.height + 19], { size: 14 })),
      words('Month', [box.x + box.width / 2, box.y + box.height + 42], { size: 14 }),
      words('Temperature (°C)', [22, box.y + box.height / 2], { size: 14, turn: 90, colour: red }),
      words('Precipitation (mm)', [box.x + box.width + 60, box.y + box.height / 2], { size: 14, turn: 90, colour: blue })
    ]
  }
})()

/** km west of the radar at each time, minutes apart. */
export const echo = { distances: [80, 60, 40], minutes: 20 } as const

export const radarTimes = ['2026-07-08T14:00+09:00', '2026-07-08T14:20+09:00', '2026-07-08T14:40+09:00']
export const radarCharts: Chart[] = echo.distances.map((distance, frame) => {
  const [centre, scale] = [[250, 258], 2.25] as const
  const ringOf = (km: number): Mark[] => [
    circle(centre, km * scale, { stroke: '#9fb0a5', width: 1.2 }), words(`${km}`, [centre[0] + 4, centre[1] - km * scale - 3], { size: 13, anchor: 'start', colour: '#5a5a5a' })]
  const blob = centre[0] - distance * scale
  return {
    width: 500,
    height: 500,
    marks: [
      rectangle([1, 1], [498, 498], { fill: '#ffffff', stroke: grey, width: 1.5 }),
      ellipse([blob, centre[1]], [21, 34], { fill: '#8fd08a' }), ellipse([blob, centre[1]], [14, 24], { fill: '#f2d13d' }),
      ellipse([blob, centre[1]], [7, 13], { fill: '#d5402b' }),
      ...[20, 40, 60, 80, 100].flatMap(ringOf),
      line([[centre[0] - 100 * scale, centre[1]], [centre[0] + 100 * scale, centre[1]]], { stroke: '#9fb0a5', width: 1 }),
      line([[centre[0], centre[1] - 100 * scale], [centre[0], centre[1] + 100 * scale]], { stroke: '#9fb0a5', width: 1 }),
      circle(centre, 5, { fill: black }), words('O', [centre[0] + 14, centre[1] + 20], { size: 17, bold: true }),
      ...compass([466, 66]), words(radarTimes[frame]!.slice(11, 16), [14, 26], { size: 18, bold: true, anchor: 'start' }),
      words('rings every 20 km', [486, 488], { size: 14, anchor: 'end' })
    ]
  }
})
