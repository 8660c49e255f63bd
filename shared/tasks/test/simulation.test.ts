import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startBare } from '../../testing/bare-process.ts'
import type { History } from '../../testing/task-history.ts'

const script = fileURLToPath(new URL('../../testing/run-histories.ts', import.meta.url))
const only = process.env.VIVA_SIM_SEED
const count = 1_000
/** One of them is found out by a rare race only. */
const sabotageSeedsMax = 150

t.test('work survives whatever happens to workers, store and bus', async t => {
  const [from, to] = only === undefined ? [0, count] : [Number(only), Number(only) + 1]
  const middle = Math.ceil((from + to) / 2)
  const halves = await Promise.all([
    run<History & { seed: number }>(from, middle), run<History & { seed: number }>(middle, to)
  ])
  const histories = halves.flat()
  t.equal(histories.length, to - from)
  for (const { seed, violations } of histories) {
    if (violations.length > 0) {
      t.fail(`History ${seed} went wrong; VIVA_SIM_SEED=${seed} repeats it alone`, { violations })
    }
  }
  if (only !== undefined) return
  const sum = (key: keyof History['tally']): number =>
    histories.reduce((total, { tally }) => total + tally[key], 0)
  t.ok(sum('kills') > 2_000, 'processes were killed')
  t.ok(sum('pauses') > 500 && sum('stops') > 200, 'processes were paused and stopped')
  t.ok(sum('lost') > 2_000, 'attempts were lost and taken over')
  t.ok(sum('done') > 8_000 && sum('dead') > 500, 'most tasks ended well, some as dead letters')
  const [first] = histories
  const [again] = await run<History & { seed: number }>(0, 1)
  t.same(again, first, 'the same seed is the same history')
})

t.test('a history tells when a worker is broken', { skip: only !== undefined }, async t => {
  const lines = await run<{ wrong: string, seed: number | null, told: string }>('sabotage', sabotageSeedsMax)
  t.equal(lines.length, 10)
  for (const { wrong, seed, told } of lines) t.ok(seed !== null, `one that ${wrong} (seed ${seed}: ${told})`)
})

async function run<T> (from: number | string, to: number): Promise<T[]> {
  const child = startBare(['--import', 'tsx', script, String(from), String(to)])
  const lines: T[] = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line))
  return lines
}
