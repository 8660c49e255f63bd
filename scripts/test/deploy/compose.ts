/** What no schema knows of our compose file: names that must exist, and what every container must have. */
import { existsSync, readFileSync } from 'node:fs'
import { addressesIn, isPinned, isSetting, scriptFault } from './ours.ts'

export interface Compose {
  services: Record<string, ComposeService>
  secrets: Record<string, { file: string }>
}

interface ComposeService {
  image: string
  user?: string
  command?: string[]
  environment?: Record<string, string | null>
  ports?: string[]
  volumes?: string[]
  tmpfs?: string[]
  healthcheck?: { test?: string[] }
  networks?: string[]
  secrets?: string[]
  build?: { dockerfile: string, target: string }
  depends_on?: Record<string, unknown>
  [key: string]: unknown
}

/** Names of variables that the file itself defines; the others are settings of ours. */
const ownVariables = ['VIVA_PORT_ON_HOST', 'GRAFANA_PORT_ON_HOST', 'NATS_PASSWORD', 'MONGO_PASSWORD',
  'MONGO_ROOT_PASSWORD', 'VLLM_MODEL', 'HF_TOKEN']
const published = ['viva', 'front-door', 'grafana']
const needed = ['restart', 'mem_limit', 'cpus', 'pids_limit', 'networks', 'healthcheck', 'logging']
const portOf: Record<string, number> = { nats: 4222, mongo: 27017 }

export function houseFaults (compose: Compose): string[] {
  return Object.entries(compose.services).flatMap(([name, service]) => [
    ...containerFaults(name, service), ...nameFaults(name, service, compose),
    ...service.image.startsWith('viva:') ? processFaults(service) : []
  ].map(fault => `${name} ${fault}`))
}

function containerFaults (name: string, service: ComposeService): string[] {
  const faults = needed.filter(key => service[key] === undefined).map(key => `has no ${key}`)
  if (!isPinned(service.image)) faults.push(`has an image that is not pinned: ${service.image}`)
  if (service.read_only !== true) faults.push('may write to its root')
  if (String(service.cap_drop) !== 'ALL') faults.push('keeps capabilities')
  if (!String(service.security_opt).includes('no-new-privileges:true')) faults.push('may gain privileges')
  if (!/^\d+:\d+$/.test(service.user ?? '')) faults.push('has no user by number')
  // Its image is made for root.
  if (/^0:/.test(service.user ?? '') && name !== 'vllm') faults.push('is root')
  for (const key of ['privileged', 'network_mode', 'pid', 'devices', 'cap_add']) {
    if (service[key] !== undefined) faults.push(`asks for ${key}`)
  }
  for (const port of service.ports ?? []) {
    if (!port.startsWith('127.0.0.1:')) faults.push(`publishes ${port} beyond this machine`)
    if (!published.includes(name)) faults.push(`publishes ${port}`)
  }
  return faults
}

function nameFaults (name: string, service: ComposeService, { services, secrets }: Compose): string[] {
  const faults: string[] = []
  for (const volume of service.volumes ?? []) {
    const [from = '', , mode] = volume.split(':')
    if (!from.startsWith('.')) continue
    if (!existsSync(from)) faults.push(`mounts ${from}, which is not there`)
    if (mode !== 'ro') faults.push(`may write to ${from}`)
  }
  for (const secret of service.secrets ?? []) {
    if (secrets[secret] === undefined) faults.push(`needs ${secret}, which is no secret`)
  }
  for (const other of Object.keys(service.depends_on ?? {})) {
    if (services[other] === undefined) faults.push(`waits for ${other}, which is no service`)
  }
  for (const value of Object.values(service.environment ?? {})) {
    for (const { host, port } of addressesIn(value ?? '')) {
      if (services[host] === undefined) faults.push(`calls ${host}, which is no service`)
      if (port !== (portOf[host] ?? 8080)) faults.push(`calls ${host} at ${port}, where it does not listen`)
    }
  }
  for (const [, variable = ''] of JSON.stringify(service).matchAll(/(?<!\$)\$\{(\w+)/g)) {
    if (!isSetting(variable) && !ownVariables.includes(variable)) faults.push(`reads ${variable}, which nobody sets`)
  }
  if (service.build !== undefined) {
    const { dockerfile, target } = service.build
    const stages = existsSync(dockerfile) ? readFileSync(dockerfile, 'utf8') : ''
    if (!stages.includes(` AS ${target}\n`)) faults.push(`is built from ${dockerfile}, stage ${target}, which is not there`)
  }
  return faults
}

/** Of the containers that run our own code. */
function processFaults (service: ComposeService): string[] {
  const faults = Object.keys(service.environment ?? {})
    .filter(key => !isSetting(key)).map(key => `sets ${key}, which is no setting`)
  const { RATE_PER_MINUTE, PARSING_PROCESSES, PARSING_URL } = service.environment ?? {}
  const command = String(service.command)
  if (PARSING_URL !== undefined && !command.includes('front-door') && RATE_PER_MINUTE !== '0') faults.push('limits the front door')
  if (/parsing|all-in-one/.test(command) && PARSING_PROCESSES === undefined) faults.push('starts as many parsers as the host has cores')
  const fault = scriptFault(service.command)
  if (fault !== undefined) faults.push(fault)
  if (!String(service.healthcheck?.test).includes('http://127.0.0.1:8080/health/ready')) {
    faults.push('is not asked whether it is ready')
  }
  if (!String(service.tmpfs).startsWith('/tmp:size=')) faults.push('has no bounded /tmp')
  if (service.stop_grace_period !== '30s') faults.push('has no 30 s to end')
  for (const port of service.ports ?? []) {
    if (!port.endsWith(':8080')) faults.push(`publishes ${port}, where nothing listens`)
  }
  if (service.environment?.HOST !== '0.0.0.0') faults.push('listens where no other container reaches it')
  return faults
}
