/** Writes weather-bank.json and its images from the questions and charts: `npm run sample-bank`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bankJson, bankRows } from './bank.ts'
import { charts } from './charts/all-charts.ts'
import { toPngs } from './charts/raster.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const images = join(folder, 'images')

mkdirSync(images, { recursive: true })
for (const name of readdirSync(images)) if (!Object.hasOwn(charts, name)) rmSync(join(images, name))
let bytes = 0
const names = Object.keys(charts)
for (const [at, png] of (await toPngs(Object.values(charts))).entries()) {
  bytes += png.length
  writeFileSync(join(images, names[at]!), png)
}
writeFileSync(join(folder, 'weather-bank.json'), bankJson())
console.log(`weather-bank.json: ${bankRows().length} questions; images: ${names.length}, ${bytes} bytes`)
