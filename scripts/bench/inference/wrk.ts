/** wrk, the load generator of Debian: many connections, each sending its next request at once. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startPinned } from './process.ts'

export const numberPlace = '00000000'
/** Of all loads so far, about: no number comes again. */
let sent = 10_000_000

export interface Load { requests: number, perSecond: number, errors: number }

/**
 * @param body  sent by POST to `/v1/chat/completions`; each time with another number in place of
 *              `00000000`, for equal calls under way would be made only once
 */
export async function wrk (
  url: string, body: string, { connections, seconds }: { connections: number, seconds: number }
): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-wrk-'))
  const script = join(folder, 'post.lua')
  const [before, after] = body.split(numberPlace)
  if (after === undefined) throw new Error(`The body lacks ${numberPlace}`)
  writeFileSync(script, `local before, after = [==[${before}]==], [==[${after}]==]
local headers = { ["content-type"] = "application/json" }
local nth = ${sent}
request = function ()
  nth = nth + 1
  return wrk.format("POST", nil, headers, before .. string.format("%08d", nth) .. after)
end
done = function (summary)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d\\n", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
`)
  const width = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s']
  const args = [...width, '-s', script, `${url}/v1/chat/completions`]
  const child = startPinned({ core: 0, command: 'wrk', args })
  const [output] = await Promise.all([text(child.stdout!), once(child, 'exit')])
  rmSync(folder, { recursive: true })
  sent += 1_000_000
  const [, requests, micros, errors] = /RESULT (\d+) (\d+) (\d+)/.exec(output) ?? []
  if (requests === undefined) throw new Error(`wrk said: ${output}`)
  const perSecond = Number(requests) / (Number(micros) / 1e6)
  return { requests: Number(requests), perSecond, errors: Number(errors) }
}
