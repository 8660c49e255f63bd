import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A port of loopback where nobody listens now: for servers that take no port 0, or for nobody. */
export async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
