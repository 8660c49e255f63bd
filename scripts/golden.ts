/**
 * Every golden case in a folder against our code: `npm run golden -- DIR`.
 *
 * A file or kind we have no implementation of is "not run" and, like a failure, makes exit code 1:
 * silence must not look like agreement.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bleuAdapters } from './golden/bleu.ts'
import { chrfAdapters } from './golden/chrf.ts'
import type { Adapter, GoldenCase } from './golden/compare.ts'
import { difflibAdapters } from './golden/difflib.ts'
import { extractionAdapters, kmetbenchCases, probeCases } from './golden/extraction.ts'
import { leaderboardAdapters, leaderboardCases } from './golden/kmetbench-leaderboard.ts'
import { rougeAdapters } from './golden/rouge.ts'
import { statisticsAdapters } from './golden/statistics.ts'

const failuresShown = 10

const adaptersOf: Record<string, Record<string, Adapter>> = {
  rouge: rougeAdapters,
  bleu: bleuAdapters,
  chrf: chrfAdapters,
  difflib: difflibAdapters,
  stats: statisticsAdapters,
  mcq_probe: extractionAdapters,
  kmetbench_extraction_cases: extractionAdapters,
  kmetbench_leaderboard: leaderboardAdapters
}

/** Files without a `cases` list, as one. */
const layouts: Record<string, (file: Record<string, unknown>) => GoldenCase[]> = {
  mcq_probe: probeCases,
  kmetbench_extraction_cases: kmetbenchCases,
  kmetbench_leaderboard: leaderboardCases
}

interface Tally { passed: number, failed: number, notRun: number }

function casesOf (name: string, content: string): GoldenCase[] {
  const file = JSON.parse(content)
  if (Array.isArray(file.cases)) return file.cases
  const layout = layouts[name]
  return layout === undefined ? [{ id: name, group: 'file', kind: 'unknown' }] : layout(file)
}

function runCase (adapter: Adapter, golden: GoldenCase): string | null {
  try {
    return adapter(golden)
  } catch (cause) {
    return `threw ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

function runFile (name: string, cases: GoldenCase[]): Tally {
  const groups = new Map<string, Tally>()
  const failures: string[] = []
  for (const golden of cases) {
    const tally = groups.get(golden.group) ?? { passed: 0, failed: 0, notRun: 0 }
    groups.set(golden.group, tally)
    const adapter = adaptersOf[name]?.[golden.kind]
    const failure = adapter === undefined ? undefined : runCase(adapter, golden)
    if (failure === undefined) tally.notRun++
    else if (failure === null) tally.passed++
    else {
      tally.failed++
      failures.push(`  ${golden.id}: ${failure}`)
    }
  }
  for (const [group, tally] of groups) console.log(`${name} ${group}: ${spell(tally)}`)
  for (const line of failures.slice(0, failuresShown)) console.log(line)
  const more = failures.length - failuresShown
  if (more > 0) console.log(`  … and ${more} more`)
  return sum([...groups.values()])
}

function sum (tallies: Tally[]): Tally {
  return tallies.reduce((all, one) => ({
    passed: all.passed + one.passed,
    failed: all.failed + one.failed,
    notRun: all.notRun + one.notRun
  }), { passed: 0, failed: 0, notRun: 0 })
}

function spell ({ passed, failed, notRun }: Tally): string {
  return `${passed} passed, ${failed} failed, ${notRun} not run`
}

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Which folder? Run: npm run golden -- DIR, where DIR holds rouge.json, bleu.json, …')
  process.exit(2)
}
const names = (await readdir(folder)).filter(file => file.endsWith('.json')).sort()
  .map(file => file.slice(0, -'.json'.length))
const tallies: Tally[] = []
for (const name of names) {
  tallies.push(runFile(name, casesOf(name, await readFile(join(folder, `${name}.json`), 'utf8'))))
}
const total = sum(tallies)
console.log(`${names.length} files: ${spell(total)}`)
process.exitCode = total.failed + total.notRun > 0 || names.length === 0 ? 1 : 0
