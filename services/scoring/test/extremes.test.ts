import t from 'tap'
import { compileValidator } from '../../../shared/app/validators.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { timesPowerOfTwo } from '../../../shared/stats/scale.ts'
import { analyses, analysisNames } from '../domain/analyses/analyses.ts'
import type { AnalysisBody } from '../domain/analyses/analysis.ts'
import { statisticNames, statistics } from '../domain/statistics/statistics.ts'

type Path = Array<string | number>

const extremes = [
  [1e308], [-1e308], [5e-324], [1e308, -1e308], [1e308, 5e-324, 1], [1e200, 1e-200], [Number.MAX_VALUE, 0],
  [1e154, -1e154, 3]
]

function numbersIn (value: unknown, path: Path = []): Path[] {
  if (typeof value === 'number') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]))
}

/** The example with numbers put to extremes: those of one field, each alone, and all of them. */
function * mutants (example: object): Generator<object> {
  const all = numbersIn(example)
  const fields = new Map<string, Path[]>()
  for (const path of all) {
    const field = path.map(key => /^\d+$/.test(String(key)) ? '*' : key).join('/')
    fields.set(field, [...fields.get(field) ?? [], path])
  }
  for (const paths of [...fields.values(), ...all.map(path => [path]), all]) {
    for (const values of extremes) {
      const body: any = structuredClone(example)
      for (const [i, path] of paths.entries()) {
        const holder = path.slice(0, -1).reduce((inner: any, key) => inner[key], body)
        holder[path.at(-1)!] = values[i % values.length]!
      }
      yield body
    }
  }
}

function nullsIn (value: unknown): number {
  if (typeof value !== 'object' || value === null) return Number(value === null || (typeof value === 'number' && !Number.isFinite(value)))
  return Object.values(value).reduce<number>((sum, inner) => sum + nullsIn(inner), 0)
}

function exampleOf ({ body }: { body: unknown }): Record<string, any> {
  const { examples, properties } = body as { examples: object[], properties: Record<string, unknown> }
  const drawn = 'replicates' in properties ? { replicates: 100 } : {}
  return structuredClone({ ...examples[0], ...drawn })
}

/** With all optional numbers of a table set, so that they are mutated too. */
const moreExamples: Partial<Record<string, object[]>> = {
  'rank-agreement': [{
    table: {
      benchmarks: ['x', 'y'].map((name, at) => ({
        name, scores: [1, 2, 4, 3, 6].map((score, i) => ({ model: `m${i}`, score: score + at * i, error: 0.5, halves: [score, score + 1] }))
      }))
    }
  }],
  cost: [{ examMinutes: 150, table: { models: [{ model: 'a', questions: 10, latencySeconds: 3, concurrency: 2, gpus: 2, promptTokens: 5, completionTokens: 6 }] } }],
  reasoning: [{
    scale: { lowest: 4, highest: 20 },
    soundFrom: 12,
    table: { models: ['a', 'b', 'c'].map((model, m) => ({ model, accuracy: { right: m, n: 5 }, reasoning: [4, 12, 19].map((total, i) => ({ total: total - m % 2, right: i > 0, paper: `p${i}` })) })) }
  }],
  contamination: [{
    table: {
      cells: ['original', 'paraphrased'].map(version => ({
        model: 'a', version, items: Array.from({ length: 12 }, (_, i) => ({ item: `i${i}`, paper: `p${i}`, value: i % 2, at: 2000 + i }))
      }))
    }
  }]
}

t.test('no statistic of extreme numbers breaks, and what is null has a reason', async t => {
  for (const name of statisticNames) {
    const { body, answer, compute } = statistics[name]
    const [fits, answers] = [body, answer].map(schema => compileValidator({ schema, httpPart: 'body' }))
    const wrong: string[] = []
    for (const mutant of mutants(exampleOf({ body }))) {
      const given = structuredClone(mutant)
      if (fits!(given) !== true) continue
      try {
        const found = JSON.parse(JSON.stringify(compute(given)))
        if (answers!(found) !== true) wrong.push(`${JSON.stringify(mutant)} has ${JSON.stringify(found)}`)
        // One for each hypothesis: null is none.
        delete found.reasons
        if (nullsIn(found) > 0 && !('reason' in found)) wrong.push(`${JSON.stringify(mutant)} has null in ${JSON.stringify(found)}`)
      } catch (error) {
        if (!(error instanceof Problem)) wrong.push(`${JSON.stringify(mutant)}: ${String(error)}`)
      }
    }
    t.same(wrong.slice(0, 3), [], name)
  }
})

t.test('statistics of numbers in another unit are the same, or in that unit', async t => {
  for (const name of statisticNames) {
    const { sized, compute } = statistics[name]
    if (sized === undefined) continue
    const example = exampleOf(statistics[name])
    const given = compileValidator({ schema: statistics[name].body, httpPart: 'body' })
    given(example)
    const usual = compute(structuredClone(example)) as Record<string, unknown>
    for (const exponent of [900, -400]) {
      const times = (value: any, by: number): any => typeof value === 'number'
        ? timesPowerOfTwo(value, by)
        : Array.isArray(value) ? value.map(inner => times(inner, by)) : value
      const moved = Object.fromEntries(Object.entries(example).map(([key, value]) =>
        [key, (sized.fields as readonly string[]).includes(key) ? times(value, exponent) : value]))
      const back = (value: any, degree: number): any => {
        if (typeof value === 'number') return timesPowerOfTwo(value, -degree * exponent)
        if (Array.isArray(value)) return value.map(inner => back(inner, degree))
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(Object.entries(value).map(([key, inner]) =>
          [key, back(inner, typeof inner === 'object' && !Array.isArray(inner) ? 0 : sized.inUnits?.[key] ?? 0)]))
      }
      const found = back(compute(moved), 0)
      const differing = numbersIn(usual).filter(path => {
        const at = (of: any) => path.reduce((inner: any, key) => inner?.[key], of)
        return !(Math.abs(at(usual) - at(found)) <= 1e-9 * Math.max(1, Math.abs(at(usual))))
      })
      // A variance, in squares of 2^900, is too large for a double, and null.
      const known = Object.values(sized.inUnits ?? {}).includes(2) && exponent > 0
      t.same(differing.filter(path => !(known && path.at(-1) === 'variance')), [], `${name} times 2^${exponent}`)
    }
  }
})

t.test('no analysis of extreme numbers breaks, nor tells a number that is none', async t => {
  for (const kind of analysisNames) {
    const { body, compute } = analyses[kind]
    const fits = compileValidator({ schema: body, httpPart: 'body' })
    const wrong: string[] = []
    for (const example of [exampleOf({ body }), ...moreExamples[kind] ?? []]) {
      t.equal(fits(structuredClone(example)), true, kind)
      for (const mutant of mutants(example)) {
        const given = structuredClone(mutant)
        if (fits(given) !== true) continue
        try {
          const { rows, summary } = compute(given as AnalysisBody, null)
          const loose = [...rows, summary].filter(row => Object.values(row).some(value => typeof value === 'number' && !Number.isFinite(value)))
          if (loose.length > 0) wrong.push(`${JSON.stringify(mutant)} has ${Object.entries(loose[0]!).map(String).join(' ')}`)
        } catch (error) {
          if (!(error instanceof Problem)) wrong.push(`${JSON.stringify(mutant)}: ${String(error)}`)
        }
      }
    }
    t.same(wrong.slice(0, 3), [], kind)
  }
})
