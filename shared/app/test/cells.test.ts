import { Counter, Histogram, Registry } from 'prom-client'
import t from 'tap'
import { counterCells, histogramCells } from '../cells.ts'

t.test('cells are written out as prom-client writes its own', async t => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const named = { name: 'calls_total', help: 'Calls.', labelNames: ['model', 'ending'] }
  const timed = { name: 'call_seconds', help: 'Time.', labelNames: ['model'] }
  const bounds = [0.005, 1, 30]
  const counted = counterCells(ours, named)
  const taken = histogramCells(ours, timed, bounds)
  const counter = new Counter({ ...named, registers: [theirs] })
  const histogram = new Histogram({ ...timed, buckets: bounds, registers: [theirs] })
  for (const [model, ending, count] of [['m', 'answered', 1], ['"\\\n', 'failed', 2], ['m', 'answered', 3], ['m', 'cancelled', 0]] as const) {
    counted(model, ending).add(count)
    counter.inc({ model, ending }, count)
  }
  for (const seconds of [0.001, 0.005, 0.0050001, 1, 29, 30, 31]) {
    taken('m').observe(seconds)
    histogram.observe({ model: 'm' }, seconds)
  }
  // Found, but nothing counted in it.
  counted('n', 'answered')
  taken('n')
  const lines = async (registry: Registry) => (await registry.metrics()).split('\n').map(line =>
    line.replace(/\{.*\}/, labels => labels.slice(1, -1).split(',').sort().join())).sort()
  t.strictSame(await lines(ours), await lines(theirs))
})
