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

export function transcriptOf (rows: readonly Row[], of: { engine: string, version: string }): Transcript {
  const checks = rows.map(({ name, verdict, direct, proxy }) => [name, { verdict, direct, ...proxy !== undefined && { proxy } }] as const)
  return { ...of, checks: Object.fromEntries(checks) }
}

/** undefined when none was kept. */
export async function readTranscript (url: URL): Promise<Transcript | undefined> {
  const text = await readFile(url, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text) as Transcript
}

export async function writeTranscript (url: URL, transcript: Transcript): Promise<void> {
  await writeFile(url, `${JSON.stringify(transcript, null, 1)}\n`)
}

/** Where an engine's own answers are others than those that were kept; checks that either lacks are left out. */
export function driftFrom (kept: Transcript, rows: readonly Row[]): Array<{ name: string, differences: string[] }> {
  return rows.flatMap(({ name, direct }) => {
    const before = kept.checks[name]
    if (before === undefined) return []
    const differences = differencesOf(before.direct, direct)
    return differences.length === 0 ? [] : [{ name, differences }]
  })
}
