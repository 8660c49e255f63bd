/** A skew-T log-p diagram with what was measured, and winds beside it. */
import { condensationLevel, kappa, liftedDry, moistSlope, saturationPressure, dewPointOf } from '../formulas.ts'
import { barb, type Wind } from './barb.ts'
import { black, blue, circle, green, line, rectangle, red, words, type Chart, type Mark, type Point } from './marks.ts'

const width = 640
const height = 560
const box = { x: 56, y: 34, width: 500, height: 478 }
const bottom = 1050
const top = 250
/** °C at the lower corners. */
const [coldest, warmest] = [-30, 40]
/** Pixels to the right for each pixel up. */
const skew = 0.9

export interface Level { hPa: number, temperature: number, dewPoint: number, wind?: Wind }

export interface Sounding {
  title: string
  levels: readonly Level[]
  /** Draws the way of air lifted from the lowest level, up to where it condenses. */
  parcel?: boolean
}

function place (celsius: number, hPa: number): Point {
  const up = box.height * Math.log(bottom / hPa) / Math.log(bottom / top)
  return [box.x + (celsius - coldest) / (warmest - coldest) * box.width + skew * up, box.y + box.height - up]
}

const pressures = [1000, 925, 850, 700, 600, 500, 400, 300]

function steps (from: number, to: number, step: number): number[] {
  const count = Math.floor(Math.abs(to - from) / Math.abs(step) + 1e-9) + 1
  return Array.from({ length: count }, (_, at) => from + at * step)
}

const climb = steps(bottom, top, -10)

function background (): Mark[] {
  const isotherms = steps(-100, 40, 10).map(celsius =>
    line([place(celsius, bottom), place(celsius, top)],
      celsius === 0 ? { stroke: blue, width: 1.8 } : { stroke: '#b7c7dc', width: 0.9 }))
  const dry = steps(-30, 120, 20).map(theta => line(
    climb.map(hPa => place((theta + 273.15) * (hPa / 1000) ** kappa - 273.15, hPa)), { stroke: '#e3b98c', width: 0.9 }))
  const moist = steps(-10, 30, 10).map(start => {
    let kelvin = start + 273.15
    const points = steps(1000, top, -10).map((hPa): Point => {
      const at = place(kelvin - 273.15, hPa)
      kelvin -= moistSlope(kelvin, hPa) * 10
      return at
    })
    return line(points, { stroke: '#9cc7a3', width: 0.9, dash: [7, 4] })
  })
  const bars = pressures.map(hPa => line([[box.x, place(0, hPa)[1]], [box.x + box.width, place(0, hPa)[1]]], { stroke: '#c4c4c4', width: 0.9 }))
  return [...bars, ...dry, ...moist, ...isotherms]
}

function parcelMarks ({ hPa, temperature, dewPoint }: Level): Mark[] {
  const level = condensationLevel(temperature, dewPoint, hPa)
  const way = steps(hPa, level.hPa, -5)
  const vapour = saturationPressure(dewPoint) / hPa
  const dry = way.map(to => place(liftedDry(temperature + 273.15, { from: hPa, to }) - 273.15, to))
  const dew = way.map(to => place(dewPointOf(vapour * to), to))
  const end = place(level.kelvin - 273.15, level.hPa)
  const ink = { stroke: black, width: 2, dash: [5, 4] }
  return [line([...dry, end], ink), line([...dew, end], ink), circle(end, 4.5, { fill: black })]
}

export function skewT ({ title, levels, parcel = false }: Sounding): Chart {
  const bottomLine = box.y + box.height
  const curve = (key: 'temperature' | 'dewPoint') => levels.map(level => place(level[key], level.hPa))
  const winds = levels.flatMap(({ wind, hPa }) =>
    wind === undefined ? [] : barb([box.x + box.width + 46, place(0, hPa)[1]], wind, { size: 34 }))
  return {
    width,
    height,
    marks: [
      {
        clip: box,
        marks: [
          ...background(), line(curve('dewPoint'), { stroke: green, width: 3 }),
          line(curve('temperature'), { stroke: red, width: 3 }), ...parcel ? parcelMarks(levels[0]!) : []
        ]
      },
      rectangle([box.x, box.y], [box.width, box.height], { stroke: black, width: 1.5 }),
      ...pressures.map(hPa => words(String(hPa), [box.x - 6, place(0, hPa)[1] + 5], { size: 14, anchor: 'end' })),
      ...steps(-30, 40, 10).map(celsius =>
        words(String(celsius), [place(celsius, bottom)[0], bottomLine + 18], { size: 14 })),
      words('Temperature (°C)', [box.x + box.width / 2, bottomLine + 38], { size: 14 }),
      words('hPa', [box.x - 6, box.y - 10], { size: 14, anchor: 'end' }),
      words(title, [box.x, 22], { size: 15, anchor: 'start' }),
      ...legend(),
      ...winds
    ]
  }
}

function legend (): Mark[] {
  return [
    rectangle([box.x + 10, box.y + 10], [74, 48], { fill: '#ffffff', stroke: black, width: 0.8 }),
    line([[box.x + 18, box.y + 25], [box.x + 46, box.y + 25]], { stroke: red, width: 3 }),
    words('T', [box.x + 54, box.y + 30], { size: 15, anchor: 'start' }),
    line([[box.x + 18, box.y + 45], [box.x + 46, box.y + 45]], { stroke: green, width: 3 }),
    words('Td', [box.x + 54, box.y + 50], { size: 15, anchor: 'start' })
  ]
}
