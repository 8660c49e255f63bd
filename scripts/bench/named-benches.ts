/** Benches that are asked for by name, one after the other. */
import { loadavg } from 'node:os'
import { table, type Figure } from './inference/figure.ts'

export type Benches<S> = Readonly<Record<string, (settings: S) => Promise<Figure[]>>>

export interface Asked {
  /** Names, separated by commas. */
  only: string
  help: boolean
  usage: string
}

/** Names as asked for. Ends the process with the usage where that is asked for, or a name is none. */
export function namesAsked (benches: object, { only, help, usage }: Asked): string[] {
  const names = only.split(',').map(name => name.trim())
  const unknown = names.filter(name => !Object.hasOwn(benches, name))
  if (!help && unknown.length === 0) return names
  process.stderr.write(`${usage}; names: ${Object.keys(benches).join(', ')}\n`)
  process.exit(unknown.length > 0 ? 1 : 0)
}

/** Each figure with the machine's load before its bench, and what that took; told on stderr as it comes. */
export async function measureEach<S> (names: readonly string[], benches: Benches<S>, settings: S) {
  const figures: Array<Figure & { bench: string, load: number, seconds: number }> = []
  for (const name of names) {
    process.stderr.write(`${name} …\n`)
    const load = loadavg()[0] ?? NaN
    const began = performance.now()
    const found = await benches[name]!(settings)
    const seconds = Math.round((performance.now() - began) / 1_000)
    figures.push(...found.map(figure => ({ bench: name, load, seconds, ...figure })))
    process.stderr.write(`  ${seconds} s, load ${load.toFixed(1)} before\n`)
    for (const { what, measured } of found) process.stderr.write(`  ${what}: ${measured}\n`)
  }
  return figures
}

/** The figures on stdout, as a table or as one JSON line with what they were asked with. */
export function tellFigures (
  figures: readonly Figure[], { json, ...asked }: { json: boolean, [name: string]: unknown }
): void {
  const text = json ? JSON.stringify({ node: process.version, ...asked, figures }) : table(figures)
  process.stdout.write(`${text}\n`)
}
