/**
 * The programs of a cluster, compiled once for all their starts: a start then costs half of what it
 * does through tsx. It is the same code; each file still finds what lies beside it, and threads and
 * parser processes start from the sources as ever.
 */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { serviceNames } from '../../app/service.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Here and not in a temporary folder, where the packages would not be found. */
const cache = join(root, 'node_modules', '.cache')

let folder: Promise<string> | undefined

/** Folder with `<service>.mjs` for each service, `suite.mjs` and `door.mjs`; gone when this process ends. */
export async function bundledPrograms (): Promise<string> {
  return await (folder ??= bundle())
}

async function bundle (): Promise<string> {
  await mkdir(cache, { recursive: true })
  const outdir = await mkdtemp(join(cache, 'viva-cluster-'))
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }))
  await build({
    entryPoints: [
      ...serviceNames.map(name => ({ in: join(root, 'services', name, 'main.ts'), out: name })),
      { in: join(root, 'scripts', 'front-door.ts'), out: 'door' },
      { in: join(root, 'scripts', 'all-in-one.ts'), out: 'suite' }
    ],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    plugins: [ownPlace]
  })
  return outdir
}

const ownPlace: Plugin = {
  name: 'own-place',
  setup ({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    }))
  }
}
