/** What the maker of the item found wrong with it stays wrong. */
import { fail, pass, type Finding, type Subject } from './finding.ts'

export function asMade ({ item }: Pick<Subject, 'item'>): Finding | null {
  if (item.checks.length === 0) return null
  const failed = item.checks.find(check => !check.passed)
  return failed === undefined
    ? pass(`It passed the ${item.checks.length} checks it was made under.`)
    : fail(`It failed ${failed.name} when it was made: ${failed.detail}`)
}
