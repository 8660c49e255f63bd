/** What an engine of one version answered, kept as a file, so that drift is seen. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Facts } from './ask.ts'
import { differencesOf, type Row, type Verdict } from './check.ts'

export interface Transcript {
  engine: string
  version: string
  checks: Record<string, { verdict: Verdict, direct: Facts, proxy?: Facts }>
}

export const transcriptUrl = (engine: string, version: string): URL =>
  new URL(`transcripts/${engine}-${version}.json`, import.meta.url)

/** The proxy's answer is kept only where it is another than the engine's. */
export function transcriptOf (rows: readonly Row[], of: { engine: string, version: string }): Transcript {
  const checks = rows.map(({ name, verdict, direct, proxy }) =>
    [name, { verdict, direct, ...proxy !== undefined && verdict !== 'same' && { proxy } }] as const)
  return { ...of, checks: Object.fromEntries(checks) }
}

/** What was kept, with checks that ran anew in the place of the old. */
export function renewed (kept: Transcript | undefined, made: Transcript): Transcript {
  return { ...made, checks: { ...kept?.checks, ...made.checks } }
}

/** undefined when none was kept. */
export async function readTranscript (url: URL): Promise<Transcript | undefined> {
  const text = await readFile(url, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text) as Transcript
}

/** One line for each check, so that a change of one is a change of one line. */
export async function writeTranscript (url: URL, { engine, version, checks }: Transcript): Promise<void> {
  const lines = Object.entries(checks).map(([name, kept]) => `${JSON.stringify(name)}: ${JSON.stringify(kept)}`)
  const head = `"engine": ${JSON.stringify(engine)},\n"version": ${JSON.stringify(version)}`
  await writeFile(url, `{\n${head},\n"checks": {\n${lines.join(',\n')}\n}\n}\n`)
}

export interface Drift { name: string, differences: string[] }

/** Where an engine's own answers are others than those that were kept; of checks that both have. */
export function driftFrom (kept: Transcript, rows: readonly Row[]): Drift[] {
  return rows.flatMap(({ name, direct }) => {
    const before = kept.checks[name]
    if (before === undefined) return []
    const differences = differencesOf(before.direct, direct)
    return differences.length === 0 ? [] : [{ name, differences }]
  })
}
