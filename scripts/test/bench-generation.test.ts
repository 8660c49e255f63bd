import t from 'tap'
import type { Answered } from '../bench/generation/model-server.ts'
import { madePaper } from '../bench/generation/made-paper.ts'
import { repeatsOf } from '../bench/generation/repeats.ts'
import { busy } from '../bench/generation/slots.ts'

const call = (sha: string, from: number, to: number): Answered =>
  ({ sha, from, to, whole: true, fault: null })
const cut = (sha: string, from: number, to: number): Answered => ({ ...call(sha, from, to), whole: false })

t.test('slots are busy while calls last, and the ramps are left out only of the one share', async t => {
  const calls = [call('a', 0, 1000), call('b', 100, 1100), call('c', 1000, 2000), call('d', 1500, 2500), call('e', 2000, 3000), call('f', 2500, 3500)]
  const { share, wholeShare, rampUpSeconds, rampDownSeconds } = busy(calls, 2)
  t.equal(share, (900 + 1000 + 1000 + 500) / (2 * 1900), 'from 100, when both are taken, to 2000, when two are left to begin')
  t.equal(wholeShare, 6000 / 7000)
  t.equal(rampUpSeconds, 0.1)
  t.equal(rampDownSeconds, 1.5)
})

t.test('an answer that is asked for again is a kill\'s doing only if a kill came between', async t => {
  const ledger = [
    call('kept', 0, 10), call('lost', 0, 90), call('lost', 200, 300), cut('cut', 50, 120), call('cut', 210, 310),
    call('twice', 400, 410), call('twice', 420, 430),
    call('unread', 95, 110), call('unread', 220, 230)
  ]
  t.same(repeatsOf(ledger, [100]), { repeated: 3, unexplained: 1, inFlight: 2, lagMs: 10 })
  t.same(repeatsOf(ledger.slice(0, 5), []), { repeated: 1, unexplained: 1, inFlight: 0, lagMs: 0 })
})

t.test('made papers differ, and each is the same again', async t => {
  const size = { sections: 2, figures: 1 }
  t.equal(madePaper(7, size), madePaper(7, size))
  t.equal(new Set(Array.from({ length: 50 }, (_, number) => madePaper(number, size))).size, 50)
})
