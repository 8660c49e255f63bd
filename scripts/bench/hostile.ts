/**
 * Files that mean harm, one after the other, into a real process of the parsing service:
 * npm run bench:hostile -- [--only TEXT] [--json FILE]. Each must end in a document or a typed
 * problem within 20 s, with the service alive and its memory unmoved, nothing written outside its
 * folder and nobody called. Exit 1 when one does not.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startServed } from '../../shared/testing/cluster/served-process.ts'
import { problems } from '../../shared/errors/problem.ts'
import { hostileArchives } from './hostile/archive-cases.ts'
import type { HostileFile } from './hostile/hostile-file.ts'
import { hostileMarkup } from './hostile/markup-cases.ts'
import { hostilePages } from './hostile/page-cases.ts'
import { hostilePdfs } from './hostile/pdf-cases.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } })
const secondsMax = 20
const growthMbMax = 50
/** What the files ask to be written if anybody obeys them. */
const forbidden = ['/tmp/viva-evil', '/tmp/viva-evil.tex']

interface Ended {
  name: string
  outcome: string
  seconds: number
  residentMb: number
  fault: string | undefined
}

const folder = await mkdtemp(join(tmpdir(), 'viva-hostile-'))
let calls = 0
// The files name port 1 of this machine; where it may be opened, whoever calls is counted.
const sink = createServer(socket => { calls++; socket.destroy() })
await new Promise<void>(resolve => {
  sink.once('error', () => resolve())
  sink.listen(1, '127.0.0.1', () => resolve())
})
const service = await startServed({
  script: fileURLToPath(new URL('../../services/parsing/main.ts', import.meta.url)),
  env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' },
  logFile: join(folder, 'log'),
  prefix: [],
  nodeArguments: ['--import', 'tsx']
})

function residentMb (): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))
  return Number(line?.[1] ?? Number.NaN) / 1024
}

async function upload ({ bytes, mediaType = 'application/pdf' }: HostileFile): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes() as Uint8Array<ArrayBuffer>], { type: mediaType }), 'paper.pdf')
  const response = await fetch(`${service.url}/v1/papers`, { method: 'POST', body: form })
  const answer = await response.json() as { type?: string, id?: string }
  if (!response.ok) return kindOf(answer.type)
  const parsed = await fetch(`${service.url}/v1/papers/${answer.id}?wait=60`)
  const paper = await parsed.json() as { state: string, problems: { type: string }[] }
  await fetch(`${service.url}/v1/papers/${answer.id}`, { method: 'DELETE' })
  if (paper.state === 'failed') return kindOf(paper.problems[0]?.type)
  return paper.state === 'succeeded' ? 'ok' : paper.state
}

function kindOf (type: string | undefined): string {
  return type?.split('/').at(-1)?.split('#').at(-1) ?? 'no type'
}

async function tried (file: HostileFile): Promise<Ended> {
  const start = performance.now()
  const outcome = await upload(file).catch((cause: unknown) => `unanswered: ${String(cause)}`)
  const seconds = (performance.now() - start) / 1_000
  const fault = faultOf(file, outcome, seconds)
  return { name: file.name, outcome, seconds, residentMb: residentMb(), fault }
}

function faultOf ({ expect }: HostileFile, outcome: string, seconds: number): string | undefined {
  if (outcome !== 'ok' && !(outcome in problems)) return 'no typed answer'
  if (outcome === 'internal') return 'a bug'
  if (expect !== undefined && !expect.includes(outcome)) return `expected ${expect.join(' or ')}`
  if (seconds > secondsMax + 2) return 'too slow'
  if (forbidden.some(existsSync)) return 'wrote outside its folder'
  return calls > 0 ? 'called somebody' : undefined
}

const files = [...hostilePdfs(), ...hostilePages(), ...hostileMarkup(), ...hostileArchives()]
  .filter(({ name }) => values.only === undefined || name.includes(values.only))
const ended: Ended[] = []
// Once what every service loads at its first paper is there.
await tried({ name: 'first', bytes: () => Buffer.from('%PDF-1.7') })
const before = residentMb()
for (const file of files) {
  const end = await tried(file)
  ended.push(end)
  console.log(`${end.fault === undefined ? 'ok  ' : 'FAIL'} ${end.seconds.toFixed(1).padStart(5)} s ${end.residentMb.toFixed(0).padStart(4)} MB  ${end.outcome.padEnd(20)} ${end.name}${end.fault === undefined ? '' : `: ${end.fault}`}`)
}
const after = residentMb()
const faults = ended.filter(({ fault }) => fault !== undefined)
const slowest = ended.reduce((most, { seconds }) => Math.max(most, seconds), 0)
const growth = after - before
console.log(`\n${ended.length} files, ${faults.length} faults; slowest ${slowest.toFixed(1)} s; service ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after, ${Math.max(...ended.map(end => end.residentMb)).toFixed(0)} MB at most; ${calls} calls outside`)
if (values.json !== undefined) {
  writeFileSync(values.json, JSON.stringify({ ended, before, after, calls }, null, 2))
}
service.signal('SIGKILL')
await service.ended
sink.close()
await rm(folder, { recursive: true, force: true })
process.exit(faults.length === 0 && calls === 0 && growth <= growthMbMax ? 0 : 1)
