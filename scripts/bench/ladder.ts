/**
 * What the reply ladder makes of 10,000 damaged replies whose meaning is known: by kind of damage, how
 * many values came out byte for byte, how many were turned down, and whether any came out otherwise.
 * `npm run bench:ladder -- [--total N] [--seed N] [--examples KIND]`
 */
import { parseArgs } from 'node:util'
import { kinds, measure, type Row } from '../../services/inference/test/fixtures/measure-ladder.ts'

const { values: { total, seed, examples } } = parseArgs({
  options: { total: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' }, examples: { type: 'string' } }
})

const started = performance.now()
const rows = measure(Number(total), Number(seed))
const tookMs = performance.now() - started

if (examples === undefined) print()
else process.stdout.write(JSON.stringify(rows.filter(({ kind }) => kind === examples).map(row => row.examples), null, 2) + '\n')

function print (): void {
  const share = (part: number, whole: number) => whole === 0 ? '' : `${(100 * part / whole).toFixed(1)} %`
  const line = ({ kind, n, exact, rejected, flagged, silent, complete, kept, ...row }: Omit<Row, 'examples'>) =>
    `| ${kind} | ${row.class} | ${n} | ${exact} | ${rejected} | ${flagged} | ${silent} | ${share(exact, n)} | ${share(kept, complete)} |`
  const classes = ['benign', 'repairable', 'hopeless', 'cut'] as const
  const sums = classes.map(name => rows.filter(row => row.class === name).reduce((sum, row) => ({
    ...sum,
    n: sum.n + row.n,
    exact: sum.exact + row.exact,
    rejected: sum.rejected + row.rejected,
    flagged: sum.flagged + row.flagged,
    silent: sum.silent + row.silent,
    complete: sum.complete + row.complete,
    kept: sum.kept + row.kept
  }), { kind: `**all ${name}**`, class: name, n: 0, exact: 0, rejected: 0, flagged: 0, silent: 0, complete: 0, kept: 0 }))
  const replies = rows.reduce((sum, { n }) => sum + n, 0)
  process.stdout.write(`${replies} replies, ${kinds.length} kinds, seed ${seed}, ${(1_000 * tookMs / replies).toFixed(0)} µs a reply (making it included)

| kind | class | n | exact | no value | otherwise, told | otherwise, silent | exact | complete elements kept |
|---|---|---|---|---|---|---|---|---|
${[...rows, ...sums].map(line).join('\n')}
`)
}
