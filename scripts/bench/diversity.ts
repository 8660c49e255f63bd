/** draft */
import { mkdirSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { allDuplicatesAmong, unitsOf } from '../../shared/text/duplicates.ts'
import { roomsOf } from '../../shared/text/diversity/allotment.ts'
import { mostDiverse } from '../../shared/text/diversity/choose.ts'
import { compared } from '../../shared/text/diversity/compare.ts'
import { groundOf } from '../../shared/text/diversity/ground.ts'
import { measures } from '../../shared/text/diversity/measure.ts'
import { subjectOf } from '../../shared/text/diversity/subject.ts'
import { loadPrompts } from '../../services/generation/prompts.ts'
import type { Item } from '../../shared/contracts/item.ts'
import { readPapers } from './evidence/papers.ts'
import { byFakeAuthor, withoutModel } from './diversity/drafts.ts'

const { values } = parseArgs({ options: { papers: { type: 'string' }, cache: { type: 'string', default: '/tmp/viva-bench-evidence' }, half: { type: 'string' } } })
const prompts = await loadPrompts()
const papers = await readPapers(values.papers!, values.cache)
mkdirSync('/tmp/diverse', { recursive: true })
for (const [name, make] of [['without', async (d: never) => withoutModel(d)], ['fake', async (d: never) => await byFakeAuthor(d, prompts)]] as const) {
  const rows = []
  for (const [i, { slug, document }] of papers.entries()) {
    if (values.half !== undefined && i % 2 !== Number(values.half)) continue
    const file = `/tmp/diverse/${name}-${slug}.json`
    const t0 = performance.now()
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(await make(document as never)))
    const t1 = performance.now()
    const items = JSON.parse(readFileSync(file, 'utf8')) as Item[]
    const units = unitsOf(items)
    const dup = allDuplicatesAmong(units)
    const own = units.filter(unit => !unit.some(({ id }) => dup.has(id)))
    const ground = groundOf(document)
    const pool = own.map(unit => subjectOf(unit, ground))
    const t2 = performance.now()
    const rooms = roomsOf(pool, Math.ceil(own.flat().length / 3))
    const chosen = mostDiverse(pool, { rooms, ground, seed: 1 })
    const t3 = performance.now()
    rows.push(compared(pool, { chosen, rooms, ground, seed: 1, draws: 30 }))
    if (process.env['V']) console.log(slug, items.length, dup.size, pool.length, chosen.length, [t1 - t0, t2 - t1, t3 - t2, performance.now() - t3].map(Math.round))
  }
  console.log(name)
  for (const m of measures) {
    const f = (k: 'ours' | 'random' | 'kCentre') => { const v = rows.map(r => r[k][m].value).filter(v => v !== null); return v.length ? (v.reduce((a, b) => a + b, 0) / v.length).toFixed(3) : null }
    const wins = rows.filter(r => r.ours[m].value! > r.random[m].value!).length
    const winsK = rows.filter(r => r.ours[m].value! > r.kCentre[m].value!).length
    console.log(m.padEnd(22), f('ours'), f('random'), f('kCentre'), wins, winsK, rows.length)
  }
}
