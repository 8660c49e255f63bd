import { performance } from 'node:perf_hooks'
import t from 'tap'
import { readReply } from '../../answers/outcome.ts'
import { inlineCharsMax, replyReader } from '../reply-reader.ts'

t.test('a long reply is read on a thread as it is here, and nothing waits for it', async t => {
  const replies = replyReader()
  t.teardown(replies.close)
  const question = { kind: 'choice' as const, choices: ['iron', 'gold', 'tin', 'lead'] }
  const given = { reply: `${'I weigh it ① and ②. '.repeat(inlineCharsMax / 4)}\nAnswer: B`, finishReason: 'stop', kind: 'choice' as const }
  const { signal } = new AbortController()
  // The thread is up, and its code is loaded.
  t.strictSame(await replies.read({ given, question }, signal), readReply(given, question))
  const longest = { ...given, reply: `${'I weigh it ① and ②. '.repeat(inlineCharsMax)}\nAnswer: B` }
  const begun = performance.eventLoopUtilization()
  t.match(await replies.read({ given: longest, question }, signal), { outcome: 'answered', lenient: { index: 1 } })
  const { active } = performance.eventLoopUtilization(begun)
  t.ok(active < 50, `${active} ms of the event loop`)
})

t.test('who no longer needs a reading frees the thread; after the end none is begun', async t => {
  const replies = replyReader()
  const given = { reply: 'x'.repeat(inlineCharsMax + 1), finishReason: null, kind: 'qa' as const }
  const away = new AbortController()
  const reading = replies.read({ given, question: null }, away.signal)
  away.abort(Error('gone'))
  await t.rejects(reading, { message: 'gone' })
  t.match(await replies.read({ given, question: null }, new AbortController().signal), { outcome: 'answered' })
  await replies.close()
  await t.rejects(replies.read({ given, question: null }, new AbortController().signal), /No more replies/)
})
