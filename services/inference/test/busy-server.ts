/** A model server that is busy for two seconds more whenever it is asked, until it is opened. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface BusyServer { url: string, open: () => void }

export async function busyServer (t: Test, model: string): Promise<BusyServer> {
  let open = false
  const server = createServer((request, response) => {
    const json = (status: number, body: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    request.resume()
    if (request.method === 'GET') {
      const data = [{ id: model, object: 'model', owned_by: 'vllm' }]
      json(request.url === '/v1/models' ? 200 : 404, { object: 'list', data })
    } else if (open) {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'free' }, finish_reason: 'stop' }]
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      json(200, { id: 'a', object: 'chat.completion', created: 1, model, choices, usage })
    } else {
      json(429, { error: { message: 'busy', type: 'rate', param: null, code: 429 } }, { 'retry-after': '2' })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open () { open = true } }
}
