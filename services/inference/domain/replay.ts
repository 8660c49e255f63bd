/** What callers may ask of the record, and which calls it can hold. */
import { Problem } from '../../../shared/errors/problem.ts'
import { isGenerated, type Call, type ForwardedPath, type ReplayMode, type RequestBody } from './call.ts'
import { headerFault } from './field-fault.ts'

const modes: readonly string[] = ['off', 'record', 'replay', 'replay-or-record'] satisfies ReplayMode[]
const sampleIndexMax = 1_000_000_000

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** @throws Problem invalid-request for a mode that is none */
export function replayModeOf (headers: Headers): ReplayMode {
  const mode = headers['viva-replay'] ?? 'off'
  if (typeof mode !== 'string' || !modes.includes(mode)) {
    throw headerFault('viva-replay', `is one of ${modes.join(', ')}`)
  }
  return mode as ReplayMode
}

/** @throws Problem invalid-request for what is no whole number from 0 to 1,000,000,000 */
export function sampleIndexOf (headers: Headers): number | null {
  const text = headers['viva-sample-index']
  if (text === undefined) return null
  const index = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (!(index <= sampleIndexMax)) {
    throw headerFault('viva-sample-index', `is a whole number from 0 to ${sampleIndexMax}`)
  }
  return index
}

/**
 * Whether the caller means one and the same reply each time: nothing is drawn, or drawn with a seed.
 * An absent temperature is the model's own default, which is rarely 0.
 */
export function isDeterministic (path: ForwardedPath, { temperature, seed }: RequestBody): boolean {
  return !isGenerated(path) || temperature === 0 || Number.isInteger(seed)
}

/**
 * A sampled call without a sample index cannot be told from its repeat: replayed, a hundred draws would
 * be one draw a hundred times.
 *
 * @throws Problem invalid-request when such a call asks for the record
 */
export function checkReplayable ({ path, body, replay, sampleIndex }: Pick<Call, 'path' | 'body' | 'replay' | 'sampleIndex'>): void {
  if (replay === 'off' || sampleIndex !== null || isDeterministic(path, body)) return
  const detail = 'is needed to record or replay a call that samples'
  throw new Problem('invalid-request', 'This call samples: name which repeat it is in viva-sample-index (0, 1, …), or send temperature 0 or a seed, or viva-replay: off.', {
    errors: [{ pointer: '/headers/viva-sample-index', detail }]
  })
}

/**
 * What calls under way share one upstream call under, or null for calls that must not. Modes are kept
 * apart, since they do different things with the reply; and so are callers of other patience, since who
 * allows a second must not fail one who allows an hour, nor wait as long.
 */
export function flightKeyOf (
  { path, body, replay, timeoutMs }: Pick<Call, 'path' | 'body' | 'replay' | 'timeoutMs'>, completionId: string
): string | null {
  if (replay === 'off' && !isDeterministic(path, body)) return null
  return `${replay}:${timeoutMs}:${completionId}`
}
