import type { Socket } from 'node:net'

/**
 * Closes a connection by a reset. One whose end is on its way cannot be reset any more: libuv refuses
 * that, Node then never closes the handle, and the process waits for it, spinning, when it should exit.
 */
export function resetSocket (socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
