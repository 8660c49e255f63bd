/** A recorded run asked again with no model server there: how fast, and whether every byte is the same. */
import { createHash } from 'node:crypto'
import { chatBody } from './bodies.ts'
import { callerOf, inTurns, type Caller } from './calls.ts'
import type { Figure, Settings } from './figure.ts'
import { startFastFake, startProxy } from './servers.ts'

const calls = 10_000
const width = 64
const bar = 3_000

export async function replay ({ rounds }: Settings): Promise<Figure[]> {
  const fake = await startFastFake()
  const proxy = await startProxy({ urls: [fake.url], slots: 256 })
  const caller = callerOf(proxy.url)
  try {
    const recorded = await run(caller, 'record')
    await fake.stop()
    const again = await run(caller, 'replay')
    const seconds = [again.seconds]
    const before = proxy.cpuMicros()
    const more = Math.max(1, rounds - 1)
    for (let round = 0; round < more; round++) seconds.push((await run(caller, 'replay')).seconds)
    const micros = (proxy.cpuMicros() - before) / (more * calls)
    const perSecond = calls / Math.min(...seconds)
    const isSame = recorded.hash === again.hash
    return [{
      what: 'replays a second, the server stopped (CPU of one)',
      bar: `≥ ${bar}`,
      met: perSecond >= bar,
      measured: `${perSecond.toFixed(0)} (${micros.toFixed(0)} µs)`,
      n: `best of ${seconds.length} runs of ${calls} calls, ${width} at once`,
      values: { perSecond, micros }
    }, {
      what: `bytes of a replayed run of ${calls} calls`,
      bar: 'identical',
      met: isSame,
      measured: isSame ? 'identical' : 'different',
      n: `sha256 of all answers in order, ${recorded.bytes} bytes`,
      values: { identical: Number(isSame), bytes: recorded.bytes }
    }]
  } finally {
    await caller.close()
    await proxy.stop()
  }
}

async function run (caller: Caller, mode: string): Promise<{ seconds: number, hash: string, bytes: number }> {
  const hashes = new Array<string>(calls)
  let bytes = 0
  const began = performance.now()
  await inTurns({ count: calls, width }, async nth => {
    const body = chatBody({ ask: `Item ${nth}. `, stream: nth % 4 === 3 })
    const { status, text } = await caller.text(body, { 'viva-replay': mode })
    if (status !== 200) throw new Error(`Call ${nth} (${mode}) got status ${status}: ${text.slice(0, 300)}`)
    bytes += Buffer.byteLength(text)
    hashes[nth] = createHash('sha256').update(text).digest('hex')
  })
  const seconds = (performance.now() - began) / 1_000
  return { seconds, bytes, hash: createHash('sha256').update(hashes.join('')).digest('hex') }
}
