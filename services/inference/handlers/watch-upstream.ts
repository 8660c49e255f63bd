/** Keeps one replica true: its server is probed now and then, its load read while it is used. */
import type { Replica } from '../domain/replica.ts'
import { loadFollower, type LoadFollower, type LoadParts } from './follow-load.ts'
import { prober, type ProbeParts, type Prober } from './probe-upstream.ts'

export type WatchSettings = ProbeParts['settings'] & LoadParts['settings']

export interface WatchParts extends Omit<ProbeParts, 'probed' | 'settings'> {
  settings: WatchSettings
  /** Called when a probe found something other than the one before. */
  changed: () => void
}

export interface Watch extends Omit<Prober, 'close'>, Pick<LoadFollower, 'use'> {
  replica: Replica
  close: () => void
}

export function watchUpstream (replica: Replica, parts: WatchParts): Watch {
  const load = loadFollower(replica, parts)
  const { probe, facts, fault, close } = prober(replica, {
    ...parts,
    probed (isNew) {
      if (isNew) parts.changed()
      if (replica.probe.state === 'up') void load.read()
      else replica.load = null
    }
  })
  return { replica, probe, facts, fault, use: load.use, close () { close(); load.close() } }
}
