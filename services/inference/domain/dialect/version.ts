/** Versions of vLLM as numbers that compare, so that a rule is `version >= since`. */

/** Older than any version the rules know; a number below is a build without tags, not an old vLLM. */
const oldest = release(0, 4, 0)

/**
 * The version as a number; a pre-release (rc, dev) lies just below its release, as in PEP 440. Null
 * where nothing can be told: no version (another engine), one that is no version ("dev"), or the 0.1
 * that a build from a clone without tags gives itself.
 *
 * @param text  of GET /version, for example 0.10.2, v0.9.1, 0.11.1rc2.dev3+gabc
 */
export function versionOf (text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null
  const found = /^\s*v?(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?(?:\.\d{1,5}){0,3}[.-]?(a|b|rc|dev|post)?/i.exec(text)
  if (found === null) return null
  const [, major, minor, patch = '0', suffix = ''] = found
  const number = release(Number(major), Number(minor), Number(patch))
  if (number < oldest) return null
  return suffix === '' || suffix.toLowerCase() === 'post' ? number : number - 0.5
}

/** Of a release: parts below 100,000 each, so the sum is exact. */
export function release (major: number, minor: number, patch: number): number {
  return (major * 100_000 + minor) * 100_000 + patch
}
