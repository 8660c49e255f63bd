/**
 * Golden cases of statistics, recorded from scipy, statsmodels and others, against what
 * `POST /v1/statistics/{kind}` answers: the same bodies, the same schemas, the same keys.
 */
import { Problem } from '../../shared/errors/problem.ts'
import { compileValidator } from '../../shared/app/validators.ts'
import { statistics, type StatisticName } from '../../services/scoring/domain/statistics/statistics.ts'
import { difference, type Adapter, type GoldenCase } from './compare.ts'

/** What the reference says of itself and not of the input. */
const ofReference = new Set([
  'max_gradient', 'choix_opt_maxdiff', 'choix_ilsr_maxdiff', 'sklearn_default_maxdiff', 'reference_quirk'
])

interface Answer extends Record<string, unknown> { reason?: string }

/** Where the reference raises, ours is null, or a problem, or lacks the key; and says why. */
function expectedOf (expected: unknown): unknown {
  if (expected === null || typeof expected !== 'object' || Array.isArray(expected)) return expected
  if ('error' in expected && 'message' in expected) return 'NaN'
  return Object.fromEntries(Object.entries(expected).filter(([key]) => !ofReference.has(key))
    .map(([key, value]) => [key, expectedOf(value)]))
}

function hasNull (value: unknown): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.values(value).some(hasNull)
}

interface Matches { matches_left_right_leftwins: [number, number, number][] }

/** Identical matches have the same influence: which of them are left out is of no matter. */
function kindsOf (rows: number[], { matches_left_right_leftwins: matches }: Matches): string[] {
  return rows.map(row => matches[row]!)
    .map(([left, right, leftWins]) => leftWins === 1 ? `${left} beats ${right}` : `${right} beats ${left}`).sort()
}

/** Where the reference says something of nothing, ours is another answer, and why is documented. */
const corrections: Record<string, (golden: GoldenCase) => unknown> = {
  // No discordant item: nothing speaks for a difference, so p is 1.
  mcnemar: ({ expected }) => 'reference_quirk' in (expected as object)
    ? { ...expected as object, chi2_cc: { statistic: 'NaN', pvalue: 1 }, chi2: { statistic: 'NaN', pvalue: 1 }, midp: 1 }
    : expected,
  // One cluster: the reference says 0.
  clustered_se: ({ input, expected }) => new Set((input as { cluster: unknown[] }).cluster).size === 1
    ? { ...expected as object, se_clustered_finite_correction: 'NaN' }
    : expected,
  bt_amip: ({ input, expected }) => {
    const { drop_set_sorted: dropped, ...rest } = expected as { drop_set_sorted: number[] }
    return { ...rest, drop_set_kinds: kindsOf(dropped, input as Matches) }
  }
}

function adapter (name: StatisticName): Adapter {
  const { body, answer, compute } = statistics[name]
  const accepts = compileValidator({ schema: body, httpPart: 'body' })
  const fits = compileValidator({ schema: answer, httpPart: 'body' })
  return (golden: GoldenCase) => {
    const { input, kind } = golden
    const expected = corrections[kind]?.(golden) ?? golden.expected
    const raises = expected !== null && typeof expected === 'object' && 'error' in expected
    const given = structuredClone(input)
    if (accepts(given) !== true) return raises ? null : `the body is refused: ${JSON.stringify(accepts.errors)}`
    let found: Answer
    try {
      found = compute(given) as Answer
    } catch (cause) {
      if (raises && cause instanceof Problem) return null
      throw cause
    }
    if (fits(structuredClone(found)) !== true) return `the answer is not as documented: ${JSON.stringify(fits.errors)}`
    if (hasNull(found) && found.reason === undefined) return 'something is null without a reason'
    if (raises) return found.reason === undefined ? 'expected a reason' : null
    const { drop_set_sorted: dropped } = found
    if (Array.isArray(dropped)) found.drop_set_kinds = kindsOf(dropped, input as Matches)
    return difference(found, expectedOf(expected))
  }
}

export const statisticsAdapters: Record<string, Adapter> = Object.fromEntries(
  (Object.keys(statistics) as StatisticName[]).map(name => [name.replaceAll('-', '_'), adapter(name)]))
