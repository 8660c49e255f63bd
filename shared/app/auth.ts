/**
 * Who may do what. Keys are given as `name:role:sha256` so that no secret stands in the settings;
 * readers GET, writers also change things, admins also reach what concerns the whole house.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sha256 } from '../contracts/hash.ts'
import { Problem } from '../errors/problem.ts'

export const roles = ['reader', 'writer', 'admin'] as const
export type Role = (typeof roles)[number]
export interface ApiKey { name: string, role: Role, hash: Buffer }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Least role; default: reader for GET and HEAD, writer for the rest. 'open' needs no key. */
    role?: Role | 'open'
  }
}

/**
 * @param setting  `name:role:sha256hex`, separated by commas
 * @throws         Error naming the entry that is wrong (never the hash)
 */
export function parseApiKeys (setting: string): ApiKey[] {
  return setting.split(',').filter(entry => entry.trim() !== '').map((entry, at) => {
    const [name = '', role = '', hash = ''] = entry.trim().split(':')
    if (name === '' || !roles.includes(role as Role) || !/^[0-9a-f]{64}$/i.test(hash)) {
      throw new Error(`API_KEYS: entry ${at + 1} is not name:role:sha256 with a role of ${roles.join(', ')}`)
    }
    return { name, role: role as Role, hash: Buffer.from(hash, 'hex') }
  })
}

/** @throws Problem unauthorized or forbidden; passes where no keys are set */
export function authorise (request: FastifyRequest, keys: readonly ApiKey[]): void {
  const needed = request.routeOptions.config?.role ??
    (['GET', 'HEAD'].includes(request.method) ? 'reader' : 'writer')
  if (keys.length === 0 || needed === 'open') return
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) {
    throw new Problem('unauthorized', 'Send "Authorization: Bearer <key>" with one of the keys of this service.')
  }
  const hash = Buffer.from(sha256(token), 'hex')
  // Every key is compared, so that time tells nothing.
  const key = keys.filter(each => timingSafeEqual(each.hash, hash))[0]
  if (key === undefined) throw new Problem('unauthorized', 'This key is not one of this service.')
  if (roles.indexOf(key.role) < roles.indexOf(needed)) {
    throw new Problem('forbidden', `The key "${key.name}" is a ${key.role}; this needs a ${needed}.`)
  }
}
