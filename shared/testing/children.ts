/** What tests ask of processes that they have started. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** SIGKILL, unless it has ended already; resolves when it has. */
export async function killChild (child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Where a process of ours listens, as its first line says; undefined when it ends without one. */
export async function readyUrl (output: Readable): Promise<string | undefined> {
  const lines = createInterface({ input: output })
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]) as [string?]
  // Whatever else it says must not fill the pipe.
  output.resume()
  return line === undefined ? undefined : (JSON.parse(line) as { url: string }).url
}

/** However this process ends, short of SIGKILL, its child does not outlive it. */
export function endWithUs (child: ChildProcess): void {
  const end = (): void => { child.kill('SIGKILL') }
  process.once('exit', end)
  child.once('exit', () => { process.off('exit', end) })
}

/** A script that is interrupted ends by itself, so that what waits for its end is told. */
export function exitWhenInterrupted (): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}
