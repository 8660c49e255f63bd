/** The process around services: one line on stdout when ready, signals, and an exit code. */
import { startServices, type Suite } from './start.ts'
import type { Service } from './service.ts'

/** Runs `services` until told to stop: SIGTERM and SIGINT drain, a second one ends at once. */
export async function serve (...services: Array<Service<any>>): Promise<void> {
  let suite: Suite | undefined
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping || suite === undefined) process.exit(signal === 'SIGINT' ? 130 : 143)
    stopping = true
    void suite.close().then(() => process.exit(0), () => process.exit(1))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    suite = await startServices(services, process.env)
    process.stdout.write(`${JSON.stringify({ url: suite.url, docs: `${suite.url}/docs` })}\n`)
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
    process.exit(1)
  }
}
