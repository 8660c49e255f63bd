/** What no schema knows of our manifests: names that must exist, and what every pod must have. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { addressesIn, isPinned, isSetting, scriptFault } from './ours.ts'

/** A manifest: read loosely, for the schema has said what it is. */
export type Manifest = any

export interface Cluster {
  manifests: Manifest[]
  /** Names of generated config maps and secrets → their keys. */
  generated: Record<string, string[]>
}

/** What `kubectl apply -k` would read, without its generated names. */
export function readCluster (folder: string): Cluster {
  const cluster: Cluster = { manifests: [], generated: {} }
  const { resources, configMapGenerator = [], secretGenerator = [] } = read(join(folder, 'kustomization.yaml'))
  for (const resource of resources as string[]) {
    const path = join(folder, resource)
    if (path.endsWith('.yaml')) {
      cluster.manifests.push(...parseAllDocuments(readFileSync(path, 'utf8')).map(document => document.toJS()))
    } else {
      const inner = readCluster(path)
      cluster.manifests.push(...inner.manifests)
      Object.assign(cluster.generated, inner.generated)
    }
  }
  for (const { name, envs = [], files = [] } of [...configMapGenerator, ...secretGenerator]) {
    const keys = (envs as string[]).flatMap(file => Object.keys(envOf(join(folder, file))))
    const names = (files as string[]).map(file => {
      const [key = '', from = key] = file.split('=')
      if (!existsSync(join(folder, from))) throw new Error(`${from} is not there`)
      return key
    })
    cluster.generated[name] = [...new Set([...cluster.generated[name] ?? [], ...keys, ...names])]
  }
  return cluster
}

/** An env file; one with secrets by its example, for the file itself is nobody's but the user's. */
export function envOf (path: string): Record<string, string> {
  const file = existsSync(`${path}.example`) ? `${path}.example` : path
  return Object.fromEntries(readFileSync(file, 'utf8').split('\n')
    .filter(line => /^[A-Z]/.test(line)).map(line => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
}

const read = (path: string): Manifest => parse(readFileSync(path, 'utf8'))

export function houseFaults (cluster: Cluster): string[] {
  const { manifests, generated } = cluster
  const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  return [
    ...workloads.flatMap(workload => workloadFaults(workload, cluster)),
    ...manifests.flatMap(manifest => targetFaults(manifest, workloads)),
    ...[...generated['viva-settings'] ?? [], ...generated['viva-keys'] ?? []]
      .filter(name => !isSetting(name)).map(name => `${name} is no setting`)
  ]
}

function workloadFaults (workload: Manifest, cluster: Cluster): string[] {
  const { metadata: { name }, spec } = workload
  const pod = spec.template.spec
  const faults: string[] = pod.containers.flatMap((container: Manifest) => [
    ...containerFaults(container), ...environmentFaults(container, cluster),
    ...container.image.startsWith('viva:') ? processFaults(container) : []
  ])
  const { labels } = spec.template.metadata
  for (const [key, value] of Object.entries(spec.selector.matchLabels)) {
    if (labels[key] !== value) faults.push(`selects pods by ${key} that it does not make`)
  }
  const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext ?? {}
  if (name !== 'vllm' && (runAsNonRoot !== true || !(runAsUser > 0))) faults.push('may be root')
  if (seccompProfile?.type !== 'RuntimeDefault') faults.push('has no seccomp profile')
  if (!(pod.terminationGracePeriodSeconds >= 30)) faults.push('has no 30 s to end')
  if (pod.automountServiceAccountToken !== false) faults.push('is given a token of the cluster')
  if (pod.enableServiceLinks !== false) faults.push('is given variables that could be taken for settings')
  const scaled = cluster.manifests.some(({ kind, spec: { scaleTargetRef } = {} as Manifest }) =>
    kind === 'HorizontalPodAutoscaler' && scaleTargetRef.name === name)
  if (scaled === (spec.replicas !== undefined)) faults.push('has its number of replicas from two, or from none')
  const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }: Manifest) => metadata)
  const volumes = [...pod.volumes ?? [], ...claims]
  const mounts = pod.containers.flatMap((container: Manifest) => container.volumeMounts ?? [])
  for (const { name, mountPath } of mounts) {
    if (!volumes.some(volume => volume.name === name)) faults.push(`mounts ${name} at ${mountPath}, which is no volume`)
  }
  for (const { configMap, emptyDir } of volumes) {
    if (configMap !== undefined && cluster.generated[configMap.name] === undefined) faults.push(`mounts ${configMap.name}, which nobody makes`)
    if (emptyDir !== undefined && emptyDir.sizeLimit === undefined) faults.push('has a folder without a limit')
  }
  return faults.map(fault => `${name} ${fault}`)
}

function containerFaults (container: Manifest): string[] {
  const faults: string[] = []
  if (!isPinned(container.image)) faults.push(`has an image that is not pinned: ${container.image}`)
  for (const bound of ['requests', 'limits']) {
    for (const what of ['cpu', 'memory']) {
      if (container.resources?.[bound]?.[what] === undefined) faults.push(`has no ${bound} of ${what}`)
    }
  }
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const port = container[probe]?.httpGet?.port
    if (container[probe] === undefined) faults.push(`has no ${probe}`)
    else if (port !== undefined && !container.ports.some(({ name }: Manifest) => name === port)) faults.push(`has a ${probe} at no port`)
  }
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext ?? {}
  if (allowPrivilegeEscalation !== false) faults.push('may gain privileges')
  if (readOnlyRootFilesystem !== true) faults.push('may write to its root')
  if (String(capabilities?.drop) !== 'ALL') faults.push('keeps capabilities')
  return faults
}

/** Names in the environment, and what generated ones they come from. */
function environmentFaults (container: Manifest, { generated }: Cluster): string[] {
  const faults: string[] = []
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const { name } = configMapRef ?? secretRef
    if (generated[name] === undefined) faults.push(`takes settings from ${name}, which nobody makes`)
  }
  for (const { valueFrom } of container.env ?? []) {
    const ref = valueFrom?.secretKeyRef
    if (ref !== undefined && generated[ref.name]?.includes(ref.key) !== true) faults.push(`needs ${ref.key} of ${ref.name}, which nobody makes`)
  }
  return faults
}

/** Of the containers that run our own code. */
function processFaults (container: Manifest): string[] {
  const faults = [scriptFault(container.args)].filter(fault => fault !== undefined)
  for (const { name } of container.env) if (!isSetting(name)) faults.push(`sets ${name}, which is no setting`)
  const rate = container.env.find(({ name }: Manifest) => name === 'RATE_PER_MINUTE')
  if (container.name !== 'front-door' && rate?.value !== '0') faults.push('limits the front door, from which all requests come')
  const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(probe => container[probe]?.httpGet?.path)
  if (String(paths) !== '/health/live,/health/live,/health/ready') faults.push('is not asked for its health')
  if (container.ports[0].containerPort !== 8080) faults.push('listens elsewhere than the image does')
  return faults
}

/** What points at pods must find some, at a port they have. */
function targetFaults (manifest: Manifest, workloads: Manifest[]): string[] {
  const { kind, metadata: { name }, spec } = manifest
  const find = (labels: Record<string, string>): Manifest => workloads.find(({ spec: { template } }) =>
    Object.entries(labels).every(([key, value]) => template.metadata.labels[key] === value))
  if (kind === 'Service') {
    const ports = find(spec.selector)?.spec.template.spec.containers[0].ports ?? []
    const isThere = spec.ports.every(({ port, targetPort = port }: Manifest) =>
      ports.some((one: Manifest) => targetPort === one.name || targetPort === one.containerPort))
    return isThere ? [] : [`Service ${name} leads nowhere`]
  }
  if (kind === 'PodDisruptionBudget' && find(spec.selector.matchLabels) === undefined) return [`PodDisruptionBudget ${name} guards nothing`]
  if (kind === 'HorizontalPodAutoscaler') {
    const { matchLabels } = spec.metrics[0].external.metric.selector
    const target = workloads.find(({ metadata }) => metadata.name === spec.scaleTargetRef.name)
    return target !== undefined && matchLabels.service === target.metadata.name ? [] : [`HorizontalPodAutoscaler ${name} scales by another's queue`]
  }
  if (kind !== 'NetworkPolicy') return []
  const named = [...JSON.stringify(spec).matchAll(/"app\.kubernetes\.io\/name":"([^"]+)"|"values":\[([^\]]+)\]/g)]
    .flatMap(([, one, many]) => one ?? (JSON.parse(`[${many}]`) as string[]))
  return named.filter(label => label !== 'vllm' && find({ 'app.kubernetes.io/name': label }) === undefined)
    .map(label => `NetworkPolicy ${name} names ${label}, which is not there`)
}

/** Addresses in an env file that lead to no Service, or to a port that it does not have. */
export function addressFaults (env: Record<string, string>, { manifests }: Cluster): string[] {
  return Object.entries(env).flatMap(([name, value]) => addressesIn(value).filter(({ host, port }) =>
    !manifests.some(({ kind, metadata, spec }) => kind === 'Service' && metadata.name === host &&
      spec.ports.some((one: Manifest) => one.port === port))).map(({ host, port }) => `${name} leads to ${host}:${port}, which is no Service`))
}
