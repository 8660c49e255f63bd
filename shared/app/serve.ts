/** The process around services: one line on stdout when ready, signals, and an exit code. */
import { startServices } from './start.ts'
import type { Service } from './service.ts'

export interface Served { url: string, close: () => Promise<void> }

/** Runs `services` until told to stop. */
export async function serve (...services: Array<Service<any>>): Promise<void> {
  await serveUntilTold(async () => await startServices(services, process.env))
}

/** SIGTERM and SIGINT drain, a second one ends at once. */
export async function serveUntilTold (start: () => Promise<Served>): Promise<void> {
  let served: Served | undefined
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping || served === undefined) process.exit(signal === 'SIGINT' ? 130 : 143)
    stopping = true
    void served.close().then(() => process.exit(0), () => process.exit(1))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    served = await start()
    process.stdout.write(`${JSON.stringify({ url: served.url, docs: `${served.url}/docs` })}\n`)
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
    process.exit(1)
  }
}
