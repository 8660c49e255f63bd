/** One request to one server, where this process is what fails. */
import t, { type Test } from 'tap'
import type { Upstream } from '../domain/upstream.ts'
import { openExchanges, type Exchange, type Question } from '../handlers/exchange.ts'
import { serverOf } from './given-service.ts'

const question = (idleMs: number): Question => ({
  method: 'POST', path: '/', body: '{}', headers: {}, timeouts: { firstByteMs: 60_000, idleMs, deadline: Infinity }
})

interface Ended { text: string, cause?: unknown }

function asked (t: Test, url: string, idleMs: number) {
  const exchanges = openExchanges(1_000)
  t.teardown(exchanges.close)
  let text = ''
  let begun = (): void => {}
  const first = new Promise<void>(resolve => { begun = resolve })
  const ended = new Promise<Ended>(resolve => {
    const exchange: Exchange = exchanges.ask({ name: 'lab', baseUrl: url } as Upstream, question(idleMs), {
      head () {},
      data (chunk) { text += chunk.toString(); begun() },
      end () { resolve({ text }) },
      fail (cause) { exchange.pause(); resolve({ text, cause }) }
    })
  })
  return { exchanges, first, ended }
}

t.test('what is under way when the service ends is told so, and no server is blamed', async t => {
  const url = await serverOf(t, (_, response) => { response.write('half') })
  const { exchanges, first, ended } = asked(t, url, 60_000)
  await first
  await exchanges.close()
  t.match(await ended, { text: 'half', cause: { kind: 'shutting-down' } })
})

t.test('a server is not late that spoke while this process stood still', async t => {
  let speak = (): void => {}
  const url = await serverOf(t, (_, response) => {
    response.write('first,')
    speak = () => { response.end('second') }
  })
  const { first, ended } = asked(t, url, 200)
  await first
  speak()
  const until = performance.now() + 500
  while (performance.now() < until);
  t.strictSame(await ended, { text: 'first,second' })
})
