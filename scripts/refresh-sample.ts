/**
 * After a wanted change of parsing or generation: makes the sample's committed items and the ids in
 * the API documents' examples anew. Run `npm run openapi` after it.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../shared/app/log.ts'
import { startServices } from '../shared/app/start.ts'
import { api } from './exam/api.ts'
import { exampleBody, sampleWalk } from './sample-walk.ts'
import { suite } from './suite.ts'

const folder = 'examples/sample-paper'
const idsFile = 'shared/contracts/example-ids.ts'

const out = mkdtempSync(join(tmpdir(), 'viva-sample-'))
const running = await startServices(suite, { PORT: '0', DATA_DIR: join(out, 'data') }, { log: silentLog() })
const ids = await sampleWalk(api(running.url), `${folder}/sample-paper.pdf`, exampleBody)
await running.close()
const source = readFileSync(idsFile, 'utf8')
const lines = Object.entries(ids).map(([kind, id]) => [kind, id] as const)
writeFileSync(idsFile, lines.reduce((text, [kind, id]) =>
  text.replace(new RegExp(`^ {2}${kind}: '.*'`, 'm'), `  ${kind}: '${id}'`), source))

const exam = spawnSync(process.execPath, ['scripts/run.mjs', 'scripts/exam.ts', '--out', join(out, 'exam')], { stdio: 'inherit' })
if (exam.status === 0) copyFileSync(join(out, 'exam', 'items.jsonl'), `${folder}/items.jsonl`)
rmSync(out, { recursive: true, force: true })
process.exit(exam.status ?? 1)
