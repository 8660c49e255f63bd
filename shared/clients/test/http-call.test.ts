import t from 'tap'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { serviceNames, type ServiceName } from '../../app/service.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { httpCall } from '../http-call.ts'

t.test('calls that last keep none waiting that would not', async t => {
  const socketPath = join(temporaryFolder(t), 'peer.sock')
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/held') held.push(response)
    else response.end('{"quick":true}')
  })
  server.listen(socketPath)
  await once(server, 'listening')
  const urls = Object.fromEntries(serviceNames.map(name => [name, 'http://127.0.0.1:1'])) as Record<ServiceName, string>
  const { call, close } = httpCall({ here: ['inference', 'parsing'], socketPath: () => socketPath, urls })
  t.teardown(async () => {
    await close()
    server.close()
    server.closeAllConnections()
  })
  const lasting = Array.from({ length: 300 }, async () => await call.json('inference', '/held', { body: {} }))
  t.same(await call.json('parsing', '/quick', { timeoutMs: 10_000 }), { quick: true })
  while (held.length < lasting.length) await once(server, 'request')
  for (const response of held) response.end('{}')
  t.equal((await Promise.all(lasting)).length, 300)
})
