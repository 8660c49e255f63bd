/** Images no larger than asked for; the work is done in a worker thread, started when first needed. */
import { Worker } from 'node:worker_threads'
import { pngSize } from './shrink-png.ts'
import type { ShrinkAnswer, ShrinkRequest } from './worker.ts'

export interface Shrinker {
  /** The PNG with its longest side at most `sideMax` pixels. */
  shrink: (png: Buffer, sideMax: number) => Promise<Buffer>
  close: () => Promise<void>
}

interface Waiting { resolve: (png: Buffer) => void, reject: (cause: Error) => void }

export function createShrinker (): Shrinker {
  let worker: Worker | undefined
  let lastId = 0
  const waiting = new Map<number, Waiting>()

  function fail (cause: Error): void {
    worker = undefined
    for (const { reject } of waiting.values()) reject(cause)
    waiting.clear()
  }

  function start (): Worker {
    const started = new Worker(new URL('worker.mjs', import.meta.url))
    started.unref()
    started.on('error', fail)
    started.on('exit', () => { if (worker === started) fail(new Error('The image worker ended')) })
    started.on('message', ({ id, png, error }: ShrinkAnswer) => {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (png !== undefined) asked?.resolve(Buffer.from(png))
      else asked?.reject(new Error(`The image cannot be read: ${error}`))
    })
    return started
  }

  return {
    async shrink (png, sideMax) {
      const size = pngSize(png)
      if (size === undefined || Math.max(size.width, size.height) <= sideMax) return png
      worker ??= start()
      const request: ShrinkRequest = { id: ++lastId, png, sideMax }
      return await new Promise<Buffer>((resolve, reject) => {
        waiting.set(request.id, { resolve, reject })
        worker!.postMessage(request)
      })
    },
    async close () {
      const ending = worker
      worker = undefined
      await ending?.terminate()
    }
  }
}
