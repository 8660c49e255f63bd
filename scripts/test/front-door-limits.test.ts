import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import tap from 'tap'
import { request } from 'undici'
import { silentLog } from '../../shared/app/log.ts'
import { startFrontDoor } from '../front-door/start.ts'

tap.test('the door holds as many requests as it is told, and goes on saying how it is', async t => {
  let held = 0
  let full = (): void => {}
  const tenHeld = new Promise<void>(resolve => { full = resolve })
  const silent = createServer(() => { if (++held === 10) full() }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const env = { PORT: '0', PARSING_URL: at, SCORING_URL: at, REQUESTS_MAX: '10' }
  const { url, close } = await startFrontDoor(env, { log: silentLog() })
  t.teardown(async () => { silent.close(); silent.closeAllConnections(); await close() })
  const leave = new AbortController()
  const waiting = Array.from({ length: 10 }, async () =>
    await request(`${url}/v1/papers`, { signal: leave.signal }).catch(() => {}))
  await tenHeld
  const refused = await request(`${url}/v1/runs`)
  t.equal(refused.headers['retry-after'], '1')
  t.match(await refused.body.json(), { type: '/problems/overloaded', status: 503, detail: /REQUESTS_MAX/ })
  t.equal((await request(`${url}/health/live`)).statusCode, 200)
  leave.abort()
  await Promise.all(waiting)
})
