/** Python with packages of fixed versions: a virtual environment in the cache folder, made once. */
import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../contracts/hash.ts'

const run = promisify(execFile)
const installMaxMs = 40 * 60_000

export interface Environment {
  /** Folder that it is kept in. */
  folder: string
  /** Lines of a requirements file, every package with its version; nothing else is installed. */
  requirements: readonly string[]
  /** The least Python 3 that will do, by its minor version. */
  leastMinor: number
  say?: (line: string) => void
}

/**
 * The environment's `python`.
 *
 * @throws Error that says what is missing: a Python that is new enough, or what pip said
 */
export async function pythonWith (environment: Environment): Promise<string> {
  const { folder, requirements, leastMinor, say = () => {} } = environment
  const python = process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python')
  const mark = join(folder, 'complete')
  const wanted = sha256(requirements.join('\n'))
  if (await readFile(mark, 'utf8').catch(() => '') === wanted && await access(python).then(() => true, () => false)) return python
  const base = await findPython(leastMinor)
  say(`Installing ${requirements.length} Python packages into ${folder}`)
  const list = join(folder, 'requirements.txt')
  try {
    await run(base, ['-m', 'venv', '--clear', folder], { timeout: installMaxMs })
    await writeFile(list, requirements.join('\n'))
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', list]
    await run(python, pip, { timeout: installMaxMs, maxBuffer: 1 << 24 })
  } catch (cause) {
    const said = String((cause as { stderr?: string }).stderr || cause).trim().slice(-1500)
    throw new Error(`The Python packages cannot be installed: ${said}`, { cause })
  }
  await writeFile(mark, wanted)
  return python
}

/** @throws Error when there is none that is new enough and can make environments */
async function findPython (leastMinor: number): Promise<string> {
  const asked = 'import sys, venv, ensurepip; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)'
  for (const name of ['python3', 'python3.12', 'python3.13', 'python3.11', 'python']) {
    const minor = await run(name, ['-c', asked]).then(({ stdout }) => Number(stdout), () => 0)
    if (minor >= leastMinor) return name
  }
  throw new Error(`There is no Python 3.${leastMinor} or later with venv here; install one (on Debian: apt install python3 python3-venv) and run the command again.`)
}
