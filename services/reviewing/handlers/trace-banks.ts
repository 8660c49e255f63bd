/** The item banks behind some reviewings: what was imported, under which terms, and how it was curated. */
import type { Bank, Method } from '../../../shared/contracts/benchmark.ts'
import type { BankSource } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Peers } from '../peers.ts'

export interface TracedBanks {
  banks: Bank[]
  imports: NonNullable<Method['imports']>
  curations: NonNullable<Method['curations']>
}

/** Curations of curations; each is of an earlier one, so that a longer chain is no chain. */
const curationsMax = 1_000

/** Each import and curation once, in ascending id. @throws Problem not-computable past 1,000 curations */
export async function traceBanks (
  { generation }: Pick<Peers, 'generation'>, sources: readonly BankSource[]
): Promise<TracedBanks> {
  const open = [...sources]
  const curations = new Map<string, TracedBanks['curations'][number]>()
  const imports = new Set<string>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('importId' in next) {
      imports.add(next.importId)
      continue
    }
    if (curations.has(next.curationId)) continue
    if (curations.size === curationsMax) {
      throw new Problem('not-computable', `More than ${curationsMax} curations stand behind the benchmark, which is all that its card names.`)
    }
    const { id, source, steps, seed, itemCount, stepCounts } = await generation.getCuration(next.curationId)
    curations.set(id, { id, source, steps, seed, itemCount, stepCounts })
    open.push(source)
  }
  const found = await Promise.all([...imports].sort().map(async id => await importedAs(generation, id)))
  return {
    banks: found.map(({ bank }) => bank),
    imports: found.map(({ method }) => method),
    curations: [...curations.values()].sort((a, b) => a.id < b.id ? -1 : 1)
  }
}

async function importedAs (
  generation: Peers['generation'], importId: string
): Promise<{ bank: Bank, method: TracedBanks['imports'][number] }> {
  const found = await generation.getImport(importId)
  const { name, fileName, contentHash, format, options, answerBase, answerBaseBy } = found
  const { rowCount, rowCounts, itemCount } = found
  const { licence = 'unknown', release = 'unknown' } = options
  return {
    bank: { importId, name, fileName, contentHash, licence, release },
    method: {
      id: importId,
      format,
      options,
      answerBase,
      answerBaseBy,
      rowCount,
      rowCounts,
      itemCount,
      notes: found.noteCounts
    }
  }
}
