/** Sets runs of one benchmark against each other and keeps what came of it. */
import type { Comparison, ComparisonRequest } from '../../../shared/contracts/comparison.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import type { ComparisonStore } from '../comparisons.ts'
import { comparisonCsv, comparisonLatex, comparisonMarkdown } from '../domain/compare/comparison-tables.ts'
import { comparisonOf, countTests, testsMax, type ComparedPair } from '../domain/compare/comparison.ts'
import { maxTLimit } from '../domain/compare/multiplicity.ts'
import { mustBeAsRead, settledRun } from './make-report.ts'
import { scoreGrids, type GridParts, type RunJob } from './scored-grids.ts'

export interface CompareParts extends GridParts { comparisons: ComparisonStore }

/**
 * @throws Problem run-not-found; conflict when the runs are of several benchmarks, or one was
 *         cancelled; not-finished while one is at work; invalid-request for pairs of other runs;
 *         limit-exceeded
 */
export async function compareRuns (
  parts: CompareParts, request: ComparisonRequest, signal?: AbortSignal
): Promise<{ created: boolean, comparison: Comparison }> {
  const jobs: RunJob[] = []
  for (const runId of request.runIds) jobs.push(await settledRun(parts, runId))
  const benchmarkIds = [...new Set(jobs.map(({ spec }) => spec.benchmarkId))]
  if (benchmarkIds.length > 1) {
    throw new Problem('conflict', `A comparison is about one benchmark; these runs are of ${benchmarkIds.join(', ')}.`)
  }
  const pairs = pairsOf(await declaredVariants(parts, request.runIds), request)
  const frozen = await parts.benchmarks.get(benchmarkIds[0]!)
  const { runs, grids } = await scoreGrids(parts, { jobs, frozen }, request)
  const tests = countTests({ grids, pairs, request })
  if (tests > testsMax) {
    throw new Problem('limit-exceeded', `This would be ${tests} tests, and at most ${testsMax} are made at once. Name fewer runs, pairs, metrics or slices: a family so large shows next to nothing.`)
  }
  if (request.multiplicity === 'max-t') {
    const limit = maxTLimit(
      tests, new Set(grids.flatMap(({ units }) => units.map(({ cluster }) => cluster))).size
    )
    if (limit !== null) throw new Problem('limit-exceeded', limit)
  }
  const comparison = await inTurns(
    comparisonOf({ benchmark: frozen.benchmark, runs, grids, pairs, request }), signal
  )
  for (const job of jobs) await mustBeAsRead(parts, job)
  return { ...await parts.comparisons.save(comparison), comparison }
}

function pairsOf (declared: readonly ComparedPair[], { runIds, pairs }: ComparisonRequest): ComparedPair[] {
  const pair = (first: string, second: string): ComparedPair => ({
    first,
    second,
    relation: declared.find(
      each => each.first === first && each.second === second
    )?.relation ?? null
  })
  if (pairs === 'variants') {
    if (declared.length > 0) return [...declared]
    throw new Problem(
      'invalid-request', 'None of these runs was declared a variant of another of them; open runs with variantOf, or name pairs.',
      { errors: [{ pointer: '/body/pairs', detail: 'no run is a variant of another' }] }
    )
  }
  if (pairs === 'with-first') return runIds.slice(1).map(runId => pair(runIds[0]!, runId))
  if (pairs === 'all') {
    return runIds.flatMap((first, at) => runIds.slice(at + 1)
      .map(second => variantFirst(pair(first, second), declared)))
  }
  for (const [at, ids] of pairs.entries()) {
    const stranger = ids.find(runId => !runIds.includes(runId))
    if (stranger === undefined) continue
    throw new Problem('invalid-request', `Run ${stranger} is in pairs and not in runIds; name it there too.`, { errors: [{ pointer: `/body/pairs/${at}`, detail: 'not among runIds' }] })
  }
  return [...new Map(pairs.map(ids => [ids.join(), pair(ids[0]!, ids[1]!)])).values()]
}

/** A gain is that of the variant over what it is a variant of. */
function variantFirst (pair: ComparedPair, declared: readonly ComparedPair[]): ComparedPair {
  return declared.find(({ first, second }) => first === pair.second && second === pair.first) ?? pair
}

/** Pairs within these runs of which the first was declared a variant of the second. */
async function declaredVariants (
  { store }: CompareParts, runIds: readonly string[]
): Promise<ComparedPair[]> {
  const pairs: ComparedPair[] = []
  for (const first of runIds) {
    for (const { runId: second, relation } of await store.variantsOf(first)) {
      if (runIds.includes(second)) pairs.push({ first, second, relation })
    }
  }
  return pairs
}

const written = { md: comparisonMarkdown, csv: comparisonCsv, tex: comparisonLatex }

export type ComparisonForm = keyof typeof written

/** @throws Problem comparison-not-found */
export async function getComparison ({ comparisons }: Pick<CompareParts, 'comparisons'>, id: string): Promise<Comparison> {
  return JSON.parse((await comparisons.getJson(id)).toString('utf8')) as Comparison
}

/** @throws Problem comparison-not-found */
export async function readComparison (
  parts: Pick<CompareParts, 'comparisons'>, id: string, form: ComparisonForm
): Promise<string> {
  return written[form](await getComparison(parts, id))
}
