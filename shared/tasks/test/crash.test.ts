import t from 'tap'
import { runCrashRounds } from '../../testing/crash-rounds.ts'

t.test('20 real processes die by SIGKILL, and nothing is lost, doubled or waited for', async t => {
  const summary = await runCrashRounds(20, 1)
  t.same(summary.wrong, [])
  // Killed before it stored its job, a life leaves none.
  t.ok(summary.jobs >= 15, `${summary.jobs} jobs`)
  t.comment(JSON.stringify(summary))
})
