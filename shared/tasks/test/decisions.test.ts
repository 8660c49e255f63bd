import t from 'tap'
import { Problem } from '../../errors/problem.ts'
import { endingOf, isLastAttempt, nextStep, outagesMax, pauseAfter, plainEnding, taskAfter, viewOf } from '../decisions.ts'
import { newJob, newTask, type Claim } from '../records.ts'

const job = newJob('job', {})
const task = newTask({ job, kind: 'duty', stage: 'work', key: 'a', input: null, attemptsMax: 3 })
const open: Claim = {
  ...plainEnding('done'), _id: `${task._id}#1`, worker: 'w', process: 'p', holder: 'h', beat: 0, state: 'open', failures: 0, outages: 0, losses: 0
}
const busy = endingOf({ cause: new Problem('upstream-invalid', 'Nonsense.') })
const away = endingOf({ cause: new Problem('upstream-unavailable', 'Not there.') })

t.test('what an attempt throws decides how it ends', async t => {
  t.equal(endingOf(undefined, 'cancelled').state, 'done', 'its result is written, so it is done')
  t.equal(endingOf({ cause: new Error('x') }, 'cancelled').state, 'cancelled')
  t.equal(endingOf({ cause: new Error('x') }, 'stopping').state, 'released')
  t.match(busy, { state: 'failed', mayRetry: true, problem: { status: 502 } })
  t.match(endingOf({ cause: new Problem('paper-damaged', 'No.') }), { mayRetry: false })
  const bug = endingOf({ cause: new TypeError('secret') })
  t.match(bug, { mayRetry: true, problem: { status: 500 } })
  t.notMatch(bug.problem?.detail, /secret/, 'details of a bug are for the log')
  const patient = new Problem('too-many-requests', 'Slow down.', { retryAfterSeconds: 7 })
  t.equal(endingOf({ cause: patient }).retryAfterMs, 7_000)
})

t.test('a task follows its newest claim', async t => {
  const after = (claim: Partial<Claim>) => taskAfter(task, { ...open, ...claim })
  t.match(after({}), { state: 'running', attempt: 1 })
  t.match(after({ state: 'done' }), { state: 'done' })
  t.match(after({ state: 'released', failures: 2 }), { state: 'queued', failures: 2, pauseMs: 0 })
  t.match(after({ ...busy }), { state: 'queued', failures: 1, problem: { status: 502 } }, 'and says what it waits for')
  t.match(after({ ...busy, failures: 2 }), { state: 'dead', failures: 3, problem: { status: 502 } })
  t.match(after({ ...busy, mayRetry: false }), { state: 'dead', failures: 1 })
  t.equal(after({ ...busy, retryAfterMs: 50_000 }).pauseMs, 50_000)
  t.match(after({ state: 'lost' }), { state: 'queued', losses: 1, failures: 0, pauseMs: 0 }, 'a restart goes on at once')
  t.ok(after({ state: 'lost', losses: 1 }).pauseMs > 0)
  t.match(after({ state: 'lost', losses: 4 }), { state: 'dead', problem: { status: 500 } })
})

t.test('an outage of what a task needs is waited out, and is not held against the task', async t => {
  const after = (claim: Partial<Claim>) => taskAfter(task, { ...open, ...claim })
  t.match(after(away), { state: 'queued', failures: 0, outages: 1 })
  t.match(after(endingOf({ cause: new Problem('disk-full', 'Full.') })), { failures: 0, outages: 1 })
  t.match(after({ ...away, outages: outagesMax - 1 }), { state: 'dead', outages: outagesMax, problem: { status: 503 } })
  t.match(after({ ...busy, outages: outagesMax - 1 }), { state: 'queued', failures: 1 }, 'what fails after it has its own attempts')
  let pausedMs = 0
  for (let outages = 0; outages < outagesMax - 1; outages++) pausedMs += after({ ...away, outages }).pauseMs
  t.ok(pausedMs >= 70_000 && pausedMs <= 141_000, `${pausedMs} ms`)
})

t.test('whoever performs a task can tell that an attempt is its last', async t => {
  const gone = new Problem('upstream-unavailable', 'Not there.')
  t.equal(isLastAttempt(task, gone), false)
  t.equal(isLastAttempt({ ...task, outages: outagesMax - 1 }, gone), true)
  t.equal(isLastAttempt({ ...task, failures: 2 }, gone), false)
  t.equal(isLastAttempt({ ...task, failures: 2 }, new Problem('upstream-invalid', 'Nonsense.')), true)
  t.equal(isLastAttempt(task, new Problem('paper-damaged', 'No.')), true)
})

t.test('a claim is taken over when its owner is gone or silent for the lease, not before', async t => {
  const running = { ...task, ...taskAfter(task, open) }
  const seen = { silentMs: 0, leaseMs: 6_000, gone: false }
  t.equal(nextStep(running, open, seen), 'wait')
  t.equal(nextStep(running, open, { ...seen, silentMs: 5_999 }), 'wait')
  t.equal(nextStep(running, open, { ...seen, silentMs: 6_000 }), 'take-over')
  t.equal(nextStep(running, open, { ...seen, gone: true }), 'take-over')
  t.equal(nextStep(task, open, seen), 'copy', 'the task was not told of its claim')
  t.equal(nextStep(running, { ...open, state: 'done' }, { ...seen, gone: true }), 'copy')
})

t.test('pauses grow fourfold to 30 s, shorter by up to half, and are the same each time', async t => {
  const fulls = [[1, 1_000], [2, 4_000], [3, 16_000], [4, 30_000], [9, 30_000]] as const
  for (const [count, full] of fulls) {
    const pause = pauseAfter(count, 'tsk_a#1')
    t.ok(pause >= full / 2 && pause <= full, `${pause} ms`)
    t.equal(pauseAfter(count, 'tsk_a#1'), pause)
  }
  t.not(pauseAfter(3, 'tsk_a#1'), pauseAfter(3, 'tsk_b#1'))
})

t.test('a job has succeeded when it is settled without a dead task', async t => {
  const settled = { ...job, phase: 'settled' as const }
  t.equal(viewOf(job, {}, { dead: [] }).state, 'queued')
  t.equal(viewOf({ ...job, phase: 'working' }, { queued: 2, done: 1 }, { dead: [] }).state, 'running')
  t.equal(viewOf(settled, { done: 2 }, { dead: [] }).state, 'succeeded')
  t.equal(viewOf({ ...settled, cancelled: true }, { done: 1, cancelled: 1 }, { dead: [] }).state, 'cancelled')
  const problems = busy.problem === null ? [] : [busy.problem]
  t.same(viewOf(settled, { done: 2, dead: 1, cancelled: 1 }, { dead: problems }),
    { state: 'failed', progress: { done: 2, total: 4, failed: 1 }, problems })
  const waiting = [away, away, busy].flatMap(({ problem }) => problem ?? [])
  t.same(viewOf({ ...job, phase: 'working' }, { queued: 3, dead: 1 }, { dead: problems, waiting }), {
    state: 'running',
    progress: { done: 0, total: 4, failed: 1 },
    problems: [busy.problem, { ...away.problem, count: 2, waiting: true }, { ...busy.problem, waiting: true }]
  }, 'equal ones are told once, with their number')
})
