/** The bank's weather maps, single and in sequences. Pressure fields are made, not observed. */
import { barb } from './barb.ts'
import { arrow, black, blue, circle, grey, line, red, smooth, words, type Chart, type Mark, type Point } from './marks.ts'
import {
  bells, centreMark, framed, front, isolines, landMarks, placeMark, projection, title, type MapFrame
} from './weather-map.ts'

const levels = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step)

const asia: MapFrame = { width: 640, height: 460, west: 100, south: 22, east: 150, north: 54 }
const openSea: MapFrame = { width: 640, height: 460, west: 0, south: 25, east: 40, north: 53 }

/** High in the west, low in the east. */
export const winterMap: Chart = (() => {
  const project = projection(asia)
  const field = bells(([longitude]) => 1026 - (longitude - 125) * 0.35,
    [
      { at: [108, 48], anomaly: 24, radius: 9, stretch: 1.4 },
      { at: [146, 45], anomaly: -30, radius: 7, stretch: 1.1 }
    ])
  return framed(asia, [
    ...landMarks(project), ...isolines(asia, { field, levels: levels(984, 1056, 4), labelsAt: [113, 140] }),
    ...centreMark(project([103.8, 48.6]), 'H'), ...centreMark(project([147.3, 45]), 'L'), ...title('January, surface, hPa', 640)
  ])
})()

/** A wave cyclone: A before the warm front, B in the warm sector, C behind the cold front, D in the north. */
export const cycloneMap: Chart = (() => {
  const project = projection(openSea)
  const field = bells(([, latitude]) => 1016 - (latitude - 38) * 0.25,
    [{ at: [19, 43], anomaly: -24, radius: 5.5, stretch: 1.1 }, { at: [3, 36], anomaly: 8, radius: 8 }])
  const cold: Point[] = [[19, 42.5], [18, 38], [15, 33.5], [10.5, 29]]
  const warm: Point[] = [[19, 42.5], [23.5, 41.3], [28, 38.7], [32, 35]]
  return framed(openSea, [
    ...isolines(openSea, { field, levels: levels(988, 1024, 4), labelsAt: [36, 6.5] }),
    ...front(cold.map(project), 'cold'), ...front(warm.map(project), 'warm'),
    ...centreMark(project([17.8, 43.6]), 'L'),
    ...placeMark(project([29.5, 43.5]), 'A'), ...placeMark(project([20.5, 36.5]), 'B'),
    ...placeMark(project([9, 36.5]), 'C'), ...placeMark(project([17, 49.5]), 'D'),
    ...title('Northern hemisphere, surface, hPa; north is up', 640)
  ])
})()

/** A trough at 500 hPa and four places about it. */
export const troughMap: Chart = (() => {
  const frame: MapFrame = { width: 640, height: 400, west: 0, south: 25, east: 60, north: 60 }
  const project = projection(frame)
  const wave = (longitude: number) => 6 * Math.cos(2 * Math.PI * (longitude - 4) / 52)
  const field = ([longitude, latitude]: Point) => 5520 - 22 * (latitude - 43 - wave(longitude))
  const axis = [project([30, 51]), project([30, 29])] as const
  return framed(frame, [
    ...isolines(frame, { field, levels: levels(5160, 5880, 60), labelsAt: [12, 48] }),
    line(axis, { stroke: red, width: 2.5, dash: [10, 6] }), words('trough axis', [axis[1]![0], axis[1]![1] + 20], { size: 15, colour: red }),
    ...placeMark(project([4, 48]), 'A'), ...placeMark(project([18, 42.5]), 'B'),
    ...placeMark(project([41, 42.5]), 'C'), ...placeMark(project([56, 48]), 'D'),
    ...arrow([270, 60], [370, 60], { stroke: black, width: 2.5 }), words('flow', [320, 52], { size: 14 }),
    ...title('500 hPa height, m; northern hemisphere, north is up', 640)
  ])
})()

/** A cold front comes over P from the west; its pressure there is the field's. `shift` is in degrees. */
const passage = [
  { time: '2026-10-17T09:00+09:00', shift: -2.5, wind: { from: 210, knots: 20 }, celsius: 21 },
  { time: '2026-10-17T12:00+09:00', shift: 5.5, wind: { from: 230, knots: 25 }, celsius: 22 },
  { time: '2026-10-17T15:00+09:00', shift: 12.5, wind: { from: 310, knots: 25 }, celsius: 14 }
]

const passageLow = (shift: number): Point => [13 + shift, 43 + shift * 0.2]
const passageField = (shift: number) => bells(([, latitude]) => 1015 - (latitude - 38) * 0.2, [
  { at: passageLow(shift), anomaly: -22, radius: 6, stretch: 1.2 },
  { at: [-2 + shift, 35], anomaly: 8, radius: 7 }])
const passagePlace: Point = [20, 36]

/** What stands beside P in each frame. */
export const passageReadings = passage.map(({ shift, wind, celsius }) =>
  ({ wind, celsius, hPa: Math.round(passageField(shift)(passagePlace)) }))

export const passageTimes = passage.map(({ time }) => time)
export const passageCharts: Chart[] = passage.map(({ time, shift, wind }, at) => {
  const project = projection(openSea)
  const move = ([longitude, latitude]: Point): Point => project([longitude + shift, latitude + shift * 0.2])
  const low = passageLow(shift)
  const field = passageField(shift)
  const { celsius, hPa } = passageReadings[at]!
  const cold: Point[] = [[13, 42.5], [12.4, 38], [10, 33], [6, 28]]
  const station = project(passagePlace)
  return framed(openSea, [
    ...isolines(openSea, { field, levels: levels(988, 1024, 4), labelsAt: [35] }),
    ...front(cold.map(move), 'cold'), ...centreMark(project(low), 'L'),
    ...barb(station, wind, { size: 56, width: 2.2 }), ...placeMark(station, 'P'),
    words(`P: ${celsius} °C, ${hPa} hPa`, [628, 446], { size: 18, bold: true, anchor: 'end' }),
    ...title(`${time.slice(0, 16).replace('T', ' ')}  surface, hPa`, 640)
  ])
})

/** Of the item that asks how fast the low deepens; the fall is between the first and the last frame. */
export const deepening = { latitude: 40, hours: [0, 12, 24], pressures: [1000, 987, 972] } as const

export const deepeningTimes = ['2026-02-03T21:00+09:00', '2026-02-04T09:00+09:00', '2026-02-04T21:00+09:00']
export const deepeningCharts: Chart[] = deepening.pressures.map((pressure, at) => {
  const frame: MapFrame = { width: 640, height: 420, west: 130, south: 28, east: 165, north: 52 }
  const project = projection(frame)
  const centre: Point = [140 + at * 7, deepening.latitude]
  const field = bells(() => 1016, [{ at: centre, anomaly: pressure - 1016, radius: 3.6 + at * 0.5 }])
  return framed(frame, [
    ...landMarks(project),
    line([project([130, 40]), project([165, 40])], { stroke: grey, width: 1, dash: [5, 5] }),
    words('40°N', [634, project([130, 40])[1] - 5], { size: 14, anchor: 'end', colour: '#5a5a5a' }),
    ...isolines(frame, { field, levels: levels(964, 1012, 4), labelsAt: [] }),
    ...centreMark(project(centre), 'L', pressure), ...title(`${deepeningTimes[at]!.slice(0, 16).replace('T', ' ')}  surface, every 4 hPa`, 640)
  ])
})

/** Centre of the typhoon at each frame. */
const typhoon: ReadonlyArray<{ time: string, at: Point }> = [
  { time: '2026-08-24T09:00+09:00', at: [130, 23.5] },
  { time: '2026-08-25T09:00+09:00', at: [126, 27] },
  { time: '2026-08-26T09:00+09:00', at: [124.3, 31.6] },
  { time: '2026-08-26T21:00+09:00', at: [124.6, 35.8] }
]

export const typhoonTimes = typhoon.map(({ time }) => time)
export const typhoonCharts: Chart[] = typhoon.map(({ time, at }, frameAt) => {
  const frame: MapFrame = { width: 560, height: 520, west: 115, south: 20, east: 140, north: 42 }
  const project = projection(frame)
  const past = typhoon.slice(0, frameAt + 1).map(each => project(each.at))
  const storm = project(at)
  return framed(frame, [
    ...landMarks(project), line(smooth(past), { stroke: red, width: 2.5, dash: [7, 5] }),
    ...past.slice(0, -1).map(point => circle(point, 5, { fill: '#ffffff', stroke: red, width: 2 })),
    ...[26, 42, 58].map(radius => circle(storm, radius, { stroke: '#7a3b8f', width: 1.4 })), ...typhoonMark(storm),
    ...title(time.slice(0, 16).replace('T', ' '), 560)
  ])
})

function typhoonMark ([x, y]: Point): Mark[] {
  const arm = (turn: 1 | -1): Point[] => [[0, -9], [8, -13], [16, -10], [20, -4]].map(([dx, dy]): Point =>
    [x + turn * dx!, y + turn * dy!])
  return [
    circle([x, y], 9, { fill: red }), circle([x, y], 3.5, { fill: '#ffffff' }),
    // Counterclockwise: the northern arm trails to the east.
    ...([1, -1] as const).map(turn => line(smooth(arm(turn)), { stroke: red, width: 4 }))
  ]
}

/** The front of the summer rains, and where it rains. */
const rains = [
  { time: '2026-06-20T09:00+09:00', latitude: 31 },
  { time: '2026-06-25T09:00+09:00', latitude: 33.6 },
  { time: '2026-06-30T09:00+09:00', latitude: 37.2 }
]

export const rainsTimes = rains.map(({ time }) => time)
export const rainsCharts: Chart[] = rains.map(({ time, latitude }) => {
  const frame: MapFrame = { width: 560, height: 480, west: 117, south: 27, east: 137, north: 43 }
  const project = projection(frame)
  const way = [118, 122, 126, 130, 134, 136.5].map((longitude, at): Point =>
    project([longitude, latitude + [-1.4, -0.5, 0, 0.3, 0.2, 0][at]!]))
  const drops = Array.from({ length: 36 }, (_, at): Point =>
    [118.5 + at % 12 * 1.5, latitude + 0.55 + Math.floor(at / 12) * 0.5 + at % 2 * 0.2])
  return framed(frame, [
    ...landMarks(project), ...front(way.toReversed(), 'stationary', 34),
    ...drops.map(project).map(([x, y]) => line([[x, y], [x - 5, y + 10]], { stroke: blue, width: 2.2 })),
    ...title(`${time.slice(0, 16).replace('T', ' ')}   / = rain`, 560)
  ])
})
