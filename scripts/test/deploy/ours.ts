/** What our own code can be asked: settings, scripts, images. */
import { existsSync } from 'node:fs'
import type { TObject } from 'typebox'
import { HouseConfig } from '../../../shared/config/config.ts'
import { DoorConfig } from '../../front-door/config.ts'
import { suite } from '../../suite.ts'

/** Of every process, plain or as VIVA_…; what Node reads besides. */
const settings = new Set([HouseConfig, DoorConfig, ...suite.map(({ config }) => config as TObject)]
  .flatMap(({ properties }) => Object.keys(properties)))

export const isSetting = (name: string): boolean => settings.has(name.replace(/^VIVA_/, ''))

/** A version, and not a name that means another image tomorrow. */
export const isPinned = (image: string): boolean => /^[a-z0-9./-]+:v?\d+\.\d+\.\d+(-[a-z]+)?$/.test(image)

/** Fault of the arguments of our image, or undefined. */
export function scriptFault (args: unknown): string | undefined {
  const [runner, script, ...rest] = Array.isArray(args) ? args as string[] : []
  if (runner === 'scripts/run.mjs' && script !== undefined && existsSync(script) && rest.length === 0) return undefined
  return `runs ${JSON.stringify(args)}, which is no script of ours`
}

/** Hosts and ports in `scheme://[user@]host:port` that are names within the deployment. */
export function addressesIn (value: string): Array<{ host: string, port: number }> {
  return [...value.matchAll(/(?:http|nats|mongodb):\/\/(?:[^@/\s]*@)?([a-z][a-z.-]*):(\d+)/g)]
    .map(([, host = '', port]) => ({ host, port: Number(port) }))
}

/** A deep copy with one thing changed: a twin that a check must refuse. */
export function twin<T> (value: T, change: (copy: any) => void): T {
  const copy = structuredClone(value)
  change(copy)
  return copy
}
