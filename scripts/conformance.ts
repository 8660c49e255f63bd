/**
 * Puts the same questions to an engine and to the proxy in front of it, and tells where the answers
 * differ: `npm run conformance -- --engine vllm|llamacpp|fake`. Exit code 1 on a difference that is
 * not by design, 2 when the engine cannot be had.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exitWhenInterrupted } from '../shared/testing/children.ts'
import { asking } from './conformance/ask.ts'
import { engineNames, isFault, type EngineName, type Row } from './conformance/check.ts'
import type { Engine } from './conformance/engines/engine.ts'
import { startFake } from './conformance/engines/fake.ts'
import { startLlamacpp } from './conformance/engines/llamacpp.ts'
import { startVllm } from './conformance/engines/vllm.ts'
import { checks, runConformance } from './conformance/run.ts'
import { driftFrom, readTranscript, renewed, transcriptOf, transcriptUrl, writeTranscript } from './conformance/transcript.ts'

const help = `npm run conformance -- --engine vllm|llamacpp|fake [options]
  --url URL        an engine that runs already, instead of one that is installed and started here
  --only TEXT      only checks with this in their name
  --against NAME   compare with this transcript, for example vllm-0.32.0; default: the engine's own
  --json FILE      write every answer
  --record         keep the answers in scripts/conformance/transcripts
Engines are kept in VIVA_CACHE (default ~/.cache/viva). scripts/conformance/README.md has more.`

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    against: { type: 'string' },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
const print = (line: string): void => { process.stdout.write(`${line}\n`) }
const say = (line: string): void => { process.stderr.write(`${line}\n`) }

exitWhenInterrupted()
const name = values.engine as EngineName
if (values.help) print(help)
else if (!engineNames.includes(name)) { say(help); process.exitCode = 2 } else process.exitCode = await main()

async function main (): Promise<number> {
  let engine: Engine
  try {
    engine = values.url === undefined ? await start() : await running(values.url.replace(/\/+$/, ''))
  } catch (cause) { say(String((cause as Error).message)); return 2 }
  try {
    const only = checks.filter(check => check.name.includes(values.only))
    const rows = await runConformance({ name, engine, only, onRow: tell })
    await keep(engine, rows)
    return rows.some(isFault) ? 1 : 0
  } finally { await engine.close() }
}

async function start (): Promise<Engine> {
  const starts = { vllm: startVllm, llamacpp: startLlamacpp, fake: startFake }
  return await starts[name](say)
}

/** @throws Error when nothing that lists a model answers there */
async function running (url: string): Promise<Engine> {
  const { ask, close } = asking(url)
  try {
    const card = (await ask('/v1/models')).json?.data?.[0]
    if (card === undefined) throw new Error(`${url}/v1/models lists no model.`)
    const version = String((await ask('/version')).json?.version ?? 'unknown')
    const contextLength = Number(card.max_model_len ?? card.meta?.n_ctx ?? 1024)
    return { url, model: card.id, version, contextLength, close: async () => {} }
  } catch (cause) {
    throw new Error(`No engine answers at ${url}: ${String(cause)}`, { cause })
  } finally { await close() }
}

function tell ({ name, verdict, differences, byDesign }: Row): void {
  const why = verdict === 'differs' && byDesign !== undefined ? ` (by design: ${byDesign})` : ''
  print(`${verdict.padEnd(11)} ${name}${why}`)
  if (why === '') differences.forEach(difference => { print(`              ${difference}`) })
}

async function keep (engine: Engine, rows: readonly Row[]): Promise<void> {
  const transcript = transcriptOf(rows, { engine: name, version: engine.version })
  const count = (verdict: string) => rows.filter(row => row.verdict === verdict).length
  const [against, ownUrl] = [values.against, transcriptUrl(name, engine.version)]
  const kept = await readTranscript(against === undefined ? ownUrl : new URL(`conformance/transcripts/${against}.json`, import.meta.url))
  for (const { name, differences } of kept === undefined ? [] : driftFrom(kept, rows)) {
    print(`other than ${kept?.engine}-${kept?.version}: ${name}`)
    differences.forEach(difference => { print(`              ${difference}`) })
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...transcript, rows }, null, 1)}\n`)
  if (values.record) {
    // With --only the others stay as they were.
    const before = values.only === '' ? undefined : await readTranscript(ownUrl)
    await writeTranscript(ownUrl, renewed(before, transcript))
  }
  print(`${engine.version}: ${count('same')} same, ${count('differs')} differ (${rows.filter(isFault).length} not by design), ${count('unsupported')} unsupported, ${count('failed')} failed`)
}
