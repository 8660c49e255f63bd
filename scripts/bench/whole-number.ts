/** Sizes of benches as their command lines name them. */

interface Range { least?: number, most?: number }

/**
 * @returns            what reads an option by its name
 * @throws Error       from that, for whatever is no whole number from `least` (1) to `most` (100,000)
 */
export function wholeNumbers<Name extends string> (
  values: Readonly<Partial<Record<Name, unknown>>>, { least = 1, most = 100_000 }: Range = {}
): (name: Name) => number {
  return name => {
    const value = Number(values[name])
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new Error(`--${name} takes a whole number from ${least} to ${most}, not "${String(values[name])}".`)
  }
}
