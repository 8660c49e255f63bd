/** Papers nobody wrote: Markdown with an abstract, sections, a table and pictures, none like the next. */
import { encode } from 'fast-png'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'

export interface Size { sections: number, figures: number }

const things = 'lamp, sensor, filter, alloy, membrane, catalyst, vaccine, turbine, reactor, antenna, polymer, enzyme, battery, mirror, coating, lattice'.split(', ')
const traits = 'brightness, drift, porosity, hardness, permeability, yield, response, torque, conversion, gain, viscosity, activity, capacity, reflectance, thickness, strain'.split(', ')
const places = 'Aarhus, Bergen, Cusco, Dakar, Evora, Fukuoka, Graz, Hobart, Izmir, Jaipur, Kisumu, Lima, Malmo, Nantes, Oaxaca, Porto'.split(', ')
const causes = 'humidity, cold, vibration, dust, salt, shade, pressure, ageing, wind, heat, rain, glare'.split(', ')
const verbs = ['rose by', 'fell by', 'differed by', 'varied by', 'shrank by', 'grew by']
const units = ['mm', 'percent', 'kPa', 'seconds', 'mg', 'volts']

/** @param number  another number, another paper */
export function madePaper (number: number, { sections, figures }: Size): string {
  const random = seededRandom(number + 1)
  const thing = `${random.pick(things)} ${random.pick(['series', 'type', 'model'])} ${number}`
  const say = () => sentence(thing, random)
  const parts = [
    `# How ${random.pick(causes)} changes the ${random.pick(traits)} of ${thing}`,
    '## Abstract',
    [`The problem is that the ${random.pick(traits)} of ${thing} is hardly known.`,
      `We propose a method that measures it within ${amount(random)} seconds.`, `The results show that ${say()}`].join(' ')
  ]
  for (let at = 0; at < sections; at++) {
    parts.push(`## Trial of the ${random.pick(things)} in ${random.pick(places)} ${at + 1}`)
    parts.push(Array.from({ length: 4 }, say).join(' '))
    if (at < figures) {
      parts.push(`Figure ${at + 1} shows that ${say()}`)
      parts.push(`![](data:image/png;base64,${picture(random)})`, `Figure ${at + 1}. ${upper(say())}`)
    }
    if (at === 0) parts.push(`Table 1. The ${random.pick(traits)} by place.`, tableOf(random))
  }
  return `${parts.join('\n\n')}\n`
}

function sentence (thing: string, random: Random): string {
  const changed = `the ${random.pick(traits)} of the ${random.pick(things)} ${random.pick(verbs)} ${amount(random)} ${random.pick(units)}`
  const where = `in ${random.pick(places)} under ${random.pick(causes)}`
  const when = `after ${random.whole(2, 90)} days of the trial of ${thing}`
  return random.chance(0.5) ? `${changed} ${where} ${when}.` : `${where}, ${changed} ${when}.`
}

const amount = (random: Random) => (random.whole(11, 989) / 10).toFixed(1)
const upper = (text: string) => text[0]!.toUpperCase() + text.slice(1)

function tableOf (random: Random): string {
  const rows = places.slice(0, 5).map(place => `| ${place} | ${amount(random)} | ${amount(random)} |`)
  return ['| Place | Before | After |', '|---|---|---|', ...rows].join('\n')
}

/** Bars of chance on white. */
function picture (random: Random): string {
  const [width, height] = [96, 64]
  const data = new Uint8Array(width * height).fill(255)
  for (let bar = 4; bar < width; bar += 8) {
    for (let y = random.whole(2, height - 2); y < height; y++) {
      data.fill(64, y * width + bar, y * width + bar + 5)
    }
  }
  return Buffer.from(encode({ width, height, channels: 1, data })).toString('base64')
}
