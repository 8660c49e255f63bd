/** A page of usage, and what all of it comes to. */
import { Problem } from '../../../shared/errors/problem.ts'
import { figuresOf, keyText, totalOf, type UsageFigures, type UsageKey } from '../domain/usage.ts'
import type { UsageFilter, UsageLedger } from './usage-ledger.ts'

export interface UsagePage {
  rows: Array<UsageKey & UsageFigures>
  /** Of all rows the filter lets through, also those on other pages. */
  totals: UsageFigures
  nextCursor: string | null
}

interface Asked { filter: UsageFilter, cursor?: string | undefined, limit: number }

/** @throws Problem invalid-cursor */
export async function readUsage (ledger: UsageLedger, { filter, cursor, limit }: Asked): Promise<UsagePage> {
  const after = cursor === undefined ? undefined : afterOf(cursor)
  const all = await ledger.read(filter)
  const rest = after === undefined ? all : all.filter(({ key }) => keyText(key) > after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map(({ key, sums }) => ({ ...key, ...figuresOf(sums) })),
    totals: figuresOf(totalOf(all)),
    nextCursor: rest.length > limit && last !== undefined ? Buffer.from(keyText(last.key)).toString('base64url') : null
  }
}

/** The key of the last row of the page before: rows that come up meanwhile shift nothing. */
function afterOf (cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.split('\0').length !== 4) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  return text
}
