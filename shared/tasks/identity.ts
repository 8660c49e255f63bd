/**
 * Who a worker is, and whether another process still lives. On Linux a process is known by boot,
 * PID namespace, PID and start time, so a claim left by a killed process is free at once instead
 * of after its lease, and neither a reused PID nor another container is mistaken for it. Elsewhere
 * nothing can be known, and the lease is waited for.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

export interface Identity {
  /** The operating system's process. */
  process: string
  /** This worker in it; never the same twice. */
  incarnation: string
  /** Whether that process has certainly ended; false when it cannot be known. */
  isGone: (process: string) => boolean
}

export function hostIdentity (): Identity {
  const incarnation = randomUUID()
  const machine = machineId()
  const started = machine === undefined ? undefined : startOf(process.pid)
  if (machine === undefined || started === undefined) {
    return { process: `unknown/${incarnation}`, incarnation, isGone: () => false }
  }
  return {
    process: `${machine}/${process.pid}/${started}`,
    incarnation,
    isGone (other) {
      const [bootAndSpace, pid, start] = other.split('/')
      if (bootAndSpace !== machine || pid === undefined || start === undefined) return false
      return !exists(Number(pid)) || hasOtherStart(Number(pid), start)
    }
  }
}

/**
 * For a caller that holds the store alone (a lock on the data directory): whatever another process
 * has claimed was claimed by one that ended.
 */
export function exclusiveIdentity (identity: Identity): Identity {
  return { ...identity, isGone: other => other !== identity.process }
}

function machineId (): string | undefined {
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim()
  const space = pidNamespace()
  return boot === undefined || space === undefined ? undefined : `${boot}:${space}`
}

function pidNamespace (): string | undefined {
  try {
    // A /proc of another namespace shows others under our numbers.
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined
    return readlinkSync('/proc/self/ns/pid').replace(/\D/gu, '')
  } catch {
    return undefined
  }
}

function exists (pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: somebody else's, but there.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Also when it is a zombie: killed, and not yet collected by its parent. */
function hasOtherStart (pid: number, start: string): boolean {
  const fields = statOf(pid)
  return fields !== undefined && (fields[0] === 'Z' || fields[19] !== start)
}

/** Field 22: in clock ticks since boot. */
function startOf (pid: number): string | undefined {
  return statOf(pid)?.[19]
}

/** Fields of /proc/<pid>/stat from the third, the state, on; see proc_pid_stat(5). */
function statOf (pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The second field is the command in brackets and may hold anything, so count from its end.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read (path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
