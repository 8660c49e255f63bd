/** A TCP proxy that can be cut: connections refused and broken, or open and silent, until restored. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { resetSocket } from './reset-socket.ts'

export interface CutProxy {
  port: number
  /** As when the server is gone: what is open breaks, what comes is refused. */
  cut: () => Promise<void>
  /** As when a cable is out: connections stay, and nothing comes through them or new ones. */
  blackhole: () => void
  /** Lets new connections through, and what was held back in old ones. */
  restore: () => Promise<void>
  close: () => Promise<void>
}

/** @param target  port on loopback */
export async function cutProxy (target: number): Promise<CutProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let silent = false
  let port = 0
  let server: Server | undefined

  function take (inner: Socket): void {
    const outer = connect(target, '127.0.0.1')
    const pair = [inner, outer] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [outer, inner] as const]) {
      from.on('data', bytes => { to.write(bytes) })
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        // Nobody hears of an end through a cable that is out.
        if (!silent) to.destroy()
      })
      if (silent) from.pause()
    }
  }

  async function listen (): Promise<void> {
    server = createServer(take).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }

  async function cut (): Promise<void> {
    const ended = server
    server = undefined
    for (const [inner, outer] of pairs) { resetSocket(inner); outer.destroy() }
    pairs.clear()
    if (ended === undefined) return
    ended.close()
    await once(ended, 'close')
  }

  await listen()
  return {
    port,
    cut,
    blackhole () {
      silent = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    async restore () {
      silent = false
      for (const pair of pairs) for (const socket of pair) socket.resume()
      if (server === undefined) await listen()
    },
    close: cut
  }
}
