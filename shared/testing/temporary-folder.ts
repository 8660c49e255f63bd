/** A folder for one test. tap's own `testdir` goes before the teardowns, under services that still write. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Tearing { name: string, teardown: (remove: () => void) => void }

/**
 * Removed after every teardown registered later, so it is asked for before what uses it.
 * @param files their contents by name
 * @throws Error for the root of a test file, which with a teardown would end at its first idle moment
 */
export function temporaryFolder (t: Tearing, files: Record<string, string> = {}): string {
  if (t.name === 'TAP') throw new Error('Ask for the folder inside a test; the root takes t.testdir()')
  const folder = mkdtempSync(join(tmpdir(), 'viva-test-'))
  t.teardown(() => { rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}
