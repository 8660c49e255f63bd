/**
 * Hosts of their own on this machine: network namespaces on a bridge, which can be cut from each
 * other and joined again. Needs Linux, root and iproute2.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Host {
  address: string
  /** What a command must begin with to run there. */
  prefix: readonly string[]
  /** Takes its cable out: packets vanish, connections stay open on both sides. */
  cut: () => Promise<void>
  join: () => Promise<void>
}

export interface Hosts {
  /** The address of this process, as the hosts see it. */
  here: string
  hosts: readonly Host[]
  close: () => Promise<void>
}

/** @returns why it cannot be done here, or undefined */
export async function whyNoHosts (): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'network namespaces are of Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  return await run('ip', ['-V']).then(() => undefined, () => 'network namespaces need ip, of the package iproute2')
}

export async function makeHosts (count: number): Promise<Hosts> {
  // Of the block for benchmarks (RFC 2544), which no real network uses; names end in the pid.
  const own = process.pid % 65_536
  const subnet = `198.${18 + (own >> 15)}.${(own >> 7) & 0xff}`
  const first = (own & 0x7f) >> 5 << 6
  const bridge = `vb${own}`
  const address = (number: number): string => `${subnet}.${first + number}`
  const names = Array.from({ length: count }, (_, at) => `vh${own}-${at}`)

  async function close (): Promise<void> {
    for (const name of names) await run('ip', ['netns', 'delete', name]).catch(() => {})
    await run('ip', ['link', 'delete', bridge]).catch(() => {})
  }

  try {
    await run('ip', ['link', 'add', bridge, 'type', 'bridge'])
    await run('ip', ['address', 'add', `${address(1)}/26`, 'dev', bridge])
    await run('ip', ['link', 'set', bridge, 'up'])
    for (const [at, name] of names.entries()) {
      const cable = `vc${own}-${at}`
      await run('ip', ['netns', 'add', name])
      await run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name])
      await run('ip', ['link', 'set', cable, 'master', bridge, 'up'])
      await run('ip', ['-n', name, 'address', 'add', `${address(at + 2)}/26`, 'dev', 'eth0'])
      for (const device of ['lo', 'eth0']) await run('ip', ['-n', name, 'link', 'set', device, 'up'])
    }
  } catch (cause) {
    await close()
    throw cause
  }

  const hosts = names.map((name, at) => ({
    address: address(at + 2),
    prefix: ['ip', 'netns', 'exec', name],
    async cut () { await run('ip', ['link', 'set', `vc${own}-${at}`, 'down']) },
    async join () { await run('ip', ['link', 'set', `vc${own}-${at}`, 'up']) }
  }))
  return { here: address(1), hosts, close }
}
