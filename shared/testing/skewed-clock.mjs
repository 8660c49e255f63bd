/**
 * Preloaded into a process (`node --import`), sets its wall clock CLOCK_SKEW_MS ahead, as on a host
 * whose date is wrong. Monotonic clocks go on as they are.
 */
const skewMs = Number(process.env.CLOCK_SKEW_MS)
if (!Number.isFinite(skewMs)) throw new Error('CLOCK_SKEW_MS is not set')

const { now } = Date
Date.now = () => now() + skewMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, made),
  apply: Target => new Target(Date.now()).toString()
})
