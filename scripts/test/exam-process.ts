/** The exam and the stand-in for a model server, as a user starts them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'

export interface Ended { code: number | null, out: string, err: string }

/** `during` sees stderr while it runs, and may end it. */
interface Around { env?: Record<string, string>, during?: (err: string, kill: () => void) => void }

export async function exam (args: string[], { env = {}, during }: Around = {}): Promise<Ended> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/exam.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env }
  })
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => { out += String(chunk) })
  child.stderr.on('data', chunk => {
    err += String(chunk)
    during?.(err, () => child.kill('SIGKILL'))
  })
  const [code] = await once(child, 'close') as [number | null]
  return { code, out, err }
}

/** `npm run fake-vllm`. @returns its URL */
export async function fakeServer (t: Test, args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'shared/testing/fake-vllm/main.ts', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => { child.kill() })
  const [line] = await once(child.stdout, 'data') as [Buffer]
  return (JSON.parse(String(line)) as { url: string }).url
}
