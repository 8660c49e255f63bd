import t, { type Test } from 'tap'
import { plotLabels, runNames } from '../domain/report/run-names.ts'
import { shortNames } from '../domain/report/short-names.ts'
import { conditionOf } from './fixtures.ts'

const run = (model: string, condition: object = {}, at = 0) =>
  ({ runId: `run_${String(at).padStart(32, '0')}`, model, condition: conditionOf(condition) })

/** All short, and no two alike without the help of a place. */
function toldApart (t: Test, labels: readonly string[]): void {
  t.equal(new Set(labels).size, labels.length, labels.join(' | '))
  for (const label of labels) t.ok(Array.from(label).length <= 40 && !/^\d+\. /.test(label), label)
}

t.test('what real names of models differ in stays, wherever it stands', async t => {
  const models = [
    'deepseek-ai/DeepSeek-R1-Distill-Llama-70B-Instruct-AWQ-4bit', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-32B-Instruct-AWQ-4bit',
    'deepseek-ai/DeepSeek-R1-Distill-Qwen-14B-Instruct-AWQ-4bit', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-14B-Instruct-GPTQ-8bit',
    'Qwen/Qwen2.5-7B'
  ]
  const labels = plotLabels(models.map((model, at) => run(model, {}, at)))
  toldApart(t, labels)
  t.match(labels[0], /Llama.*70B/, 'its base and size are in no other name')
  t.match(labels[1], /32B/)
  t.match(labels[2], /14B.*AWQ/)
  t.match(labels[3], /14B.*GPTQ.*8bit/)
  t.equal(labels[4], 'Qwen/Qwen2.5-7B', 'a short name stays whole')
})

t.test('of runs of one model the condition stays that they differ in', async t => {
  const model = 'naver-hyperclovax/HyperCLOVAX-SEED-Vision-Instruct-3B'
  const conditions = [
    { contentMode: 'full', prompt: 'reasoning', figures: 'withheld' }, { contentMode: 'full', prompt: 'reasoning' },
    { contentMode: 'full', prompt: 'standard' }, { contentMode: 'none', prompt: 'standard', figures: 'withheld' }
  ]
  const runs = conditions.map((condition, at) => run(model, condition, at))
  toldApart(t, plotLabels(runs))
  const repeats = Array.from({ length: 12 }, (_, repeat) => run(model, { repeat }, repeat))
  const labels = plotLabels([...repeats, run('baseline/random', {}, 99)])
  toldApart(t, labels)
  for (const [at, label] of labels.slice(0, -1).entries()) t.ok(label.startsWith('naver-') && label.endsWith(`(repeat ${at})`), label)
})

t.test('a name without anything to cut at is cut nevertheless, and two still equal get their place', async t => {
  const [one, two] = ['a', 'b'].map(letter => `${'x'.repeat(35)}${letter}${'y'.repeat(40)}`)
  toldApart(t, plotLabels([run(one!), run(two!, {}, 1)]))
  const swapped = ['aaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-cccccccccc', 'bbbbbbbbbbbbbbbb-aaaaaaaaaaaaaaaa-cccccccccc']
  t.ok(shortNames(swapped, 40).every(label => Array.from(label).length <= 40))
  const model = `lab/${'the-same-'.repeat(8)}7b`
  const runs = [run(model), run(model, {}, 1)].map((each, at) => ({ ...each, runId: `run_${at}` }))
  const labels = plotLabels(runs)
  t.equal(new Set(labels).size, 2, labels.join(' | '))
  t.equal(runNames(runs).length, 2)
  const alike = ['aa', 'bb', 'cc'].map(part => `${'same-'.repeat(12)}${part}`)
  toldApart(t, shortNames(alike, 40))
  const emoji = shortNames([`${'🙂'.repeat(60)}1`, `${'🙂'.repeat(60)}2`], 40)
  t.ok(emoji.every(label => !/\p{Surrogate}/u.test(label)), 'no sign is cut in two')
})
