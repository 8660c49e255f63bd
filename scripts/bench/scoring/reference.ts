/** The reference implementations, in a Python of their own. */
import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonWith } from '../../../shared/testing/python.ts'

/** rouge_score, sacreBLEU and all they need, for Python 3.11 and later. */
const requirements = [
  'rouge_score==0.1.2', 'sacrebleu==2.6.0', 'absl-py==2.5.1', 'click==8.5.1', 'colorama==0.4.6',
  'defusedxml==0.7.1', 'joblib==1.6.0', 'lxml==6.1.3', 'nltk==3.10.4', 'numpy==2.4.6', 'portalocker==4.4.2',
  'regex==2026.11.19', 'six==1.17.0', 'tabulate==0.10.0', 'tqdm==4.70.1'
]
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'viva', 'bench')
const script = fileURLToPath(new URL('reference.py', import.meta.url))

/** What a task of reference.py came to, with the CPU seconds of the task alone: neither start nor reading. */
export interface ReferenceRun { seconds: number, scores: number[] }

/** @throws Error with what Python said */
export async function referenceRun (task: string, input: unknown): Promise<ReferenceRun> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const folder = join(cache, 'metrics-python')
  const python = await pythonWith({ folder, requirements, leastMinor: 11, say })
  const { stdout, stderr, status } = spawnSync(python, [script, task], {
    input: JSON.stringify(input), maxBuffer: 2 ** 29, encoding: 'utf8'
  })
  if (status !== 0) throw new Error(`reference.py ${task} ended with ${status}: ${stderr.slice(-1500)}`)
  return JSON.parse(stdout) as ReferenceRun
}
