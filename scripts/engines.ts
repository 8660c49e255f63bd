/**
 * Finds or builds the servers that tests run against, and says what cannot be had. Exit code 1 only
 * where everything must be tested (`CI=true`): elsewhere those tests are skipped with the reason.
 */
import { engineNames, findEngine } from '../shared/testing/engines.ts'
import { findLoadersPython } from '../shared/testing/loaders-python.ts'
import { findOpenAiPython } from '../shared/testing/openai-python.ts'

// One after another: each build uses all cores.
const finds = [
  ...engineNames.map(name => [name, async () => await findEngine(name)] as const),
  ['OpenAI\'s Python client', findOpenAiPython] as const,
  ['The loaders of exports', findLoadersPython] as const
]
for (const [name, find] of finds) {
  const engine = await find()
  process.stdout.write(`# ${name}: ${'path' in engine ? engine.path : `not to be had, its tests are skipped: ${engine.reason}`}\n`)
  if ('reason' in engine && process.env.CI === 'true') process.exitCode = 1
}
