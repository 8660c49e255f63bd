/** Starts a process of Node without the hooks that a test framework hangs into each child. */
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'

export type BareProcess = ChildProcessByStdio<null, Readable, null>

/** Its standard output is piped, its standard error is ours. @param settings  beside our environment */
export function startBare (args: readonly string[], settings: Record<string, string> = {}): BareProcess {
  // An import of child_process may be answered with the framework's own, which slows each promise.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { NODE_OPTIONS: _hooks, ...env } = process.env
  return spawn(process.execPath, args, { env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
}
