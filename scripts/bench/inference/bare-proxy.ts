/**
 * The least a proxy in Node can do: bytes through node:http and undici, nothing looked at. Below it
 * lies what no feature costs. The upstream's address is the first argument.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'

const pool = new Pool(process.argv[2] ?? '', { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })

const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => { parts.push(part) })
  request.on('end', () => {
    const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    pool.dispatch({ method: 'POST', path: request.url ?? '/', body, headers: { 'content-type': 'application/json' } }, {
      onRequestStart (controller) { response.once('close', () => { if (!response.writableFinished) controller.abort(new Error('left')) }) },
      onResponseStart (_, status, headers) {
        for (const name of ['content-type', 'content-length']) {
          const value = headers[name]
          if (value !== undefined) response.setHeader(name, value)
        }
        response.writeHead(status)
      },
      onResponseData (controller, chunk) {
        if (response.write(chunk)) return
        controller.pause()
        response.once('drain', () => { controller.resume() })
      },
      onResponseEnd () { response.end() },
      onResponseError () { response.destroy() }
    })
  })
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`)
})
