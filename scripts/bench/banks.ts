/**
 * Deduplicating simulated banks: what of each plant is dropped, put to a person or left, and CPU seconds; and
 * how well wrong keys are found from the answers of simulated models.
 * `npm run bench:banks -- [--small N] [--large N] [--seed N]`
 */
import { parseArgs } from 'node:util'
import { deduplicated } from '../../services/generation/curations/domain/deduplicate/deduplicate.ts'
import { subjectOf } from '../../services/generation/curations/domain/deduplicate/sameness.ts'
import { plants, rawBank, type RawBankOptions } from '../../shared/testing/raw-bank.ts'
import { inOneGo } from '../../shared/text/in-one-go.ts'
import { miskeyedFound, type Found } from './banks/miskeyed.ts'
import { wholeNumbers } from './whole-number.ts'

const { values } = parseArgs({
  options: { small: { type: 'string', default: '2500' }, large: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } }
})
const whole = wholeNumbers(values)
const options = { ratioMin: 0.6, autojunk: false, compare: 'question-and-choices', keep: 'first' } as const

// A large bank is of many subjects: as many terms as items, by Zipf's law.
const [small, large] = [whole('small'), whole('large')]
const banks: RawBankOptions[] = [
  { total: small, seed: whole('seed') },
  { total: small, seed: whole('seed'), words: 'held-out' },
  { total: large, seed: whole('seed'), termCount: large }
]
for (const bank of banks) measure(bank)

process.stdout.write(`Wrong keys among ${whole('small')} items (planted miskeyed ones, and turned ones whose key was forgotten), by models

| models | seed | wrong keys | PR-AUC | with abilities known | item-rest correlation | any order | precision@k |
|---|---|---|---|---|---|---|---|
`)
for (const models of [10, 20, 40]) for (let more = 0; more < 3; more++) measureKeys(models, whole('seed') + more)

function measureKeys (models: number, seed: number): void {
  const { wrongKeys, found, oracle, correlation, chance } =
    miskeyedFound(rawBank({ total: whole('small'), seed }), { models, families: 5, seed })
  const areas = [found, oracle, correlation].map(({ area }: Found) => area.toFixed(3))
  process.stdout.write(`| ${models} | ${seed} | ${wrongKeys} | ${areas.join(' | ')} | ${chance.toFixed(3)} | ${found.precision.toFixed(3)} |
`)
}

function measure (bank: RawBankOptions): void {
  const { items, planted } = rawBank(bank)
  const subjects = items.map(subjectOf)
  const before = process.cpuUsage()
  const { findings, pairs } = inOneGo(deduplicated(subjects, options))
  const { user, system } = process.cpuUsage(before)
  const actions = new Map(findings.map(({ id, action }) => [id, action]))
  const of = (plant: string, action?: string) =>
    planted.filter(each => each.plant === plant && actions.get(each.id) === action).length
  const repeats = new Set(planted
    .filter(({ plant }) => ['copy', 'permuted', 'retyped', 'paraphrase'].includes(plant)).map(({ id }) => id))
  const dropped = findings.filter(({ action }) => action === 'dropped')
  const right = dropped.filter(({ id }) => repeats.has(id)).length
  process.stdout.write(`${bank.total} items, ${bank.words ?? 'first'} words: ${((user + system) / 1e6).toFixed(1)} s CPU, ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most; ${pairs.compared} pairs looked at, ${pairs.alike} alike
dropped ${dropped.length}, precision ${(right / dropped.length).toFixed(3)}; of ${repeats.size} repetitions ${(right / repeats.size).toFixed(3)} dropped

| planted | n | dropped | to a person | left |
|---|---|---|---|---|
${plants.map(plant => `| ${plant} | ${planted.filter(each => each.plant === plant).length} | ${of(plant, 'dropped')} | ${of(plant, 'flagged')} | ${of(plant)} |`).join('\n')}

`)
}
