/**
 * Finds or builds the servers that tests run against, and says what cannot be had. Exit code 1 only
 * where everything must be tested (`CI=true`): elsewhere those tests are skipped with the reason.
 */
import { engineNames, findEngine } from '../shared/testing/engines.ts'

// One after another: each build uses all cores.
for (const name of engineNames) {
  const engine = await findEngine(name)
  process.stdout.write(`# ${name}: ${'path' in engine ? engine.path : `not to be had, its tests are skipped: ${engine.reason}`}\n`)
  if ('reason' in engine && process.env.CI === 'true') process.exitCode = 1
}
