/** FerretDB, which speaks MongoDB's protocol over SQLite files, on a free port of loopback. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { endWithUs, killChild } from './children.ts'
import { freePort } from './free-port.ts'

export interface FerretDb {
  /** Without a database in it. */
  url: string
  port: number
  pid: () => number | undefined
  /** SIGKILL; resolves when the process has ended. */
  kill: () => Promise<void>
  /** Again on the same port, over what is in the folder. */
  start: () => Promise<void>
}

const startMaxMs = 20_000

/** @param dir  made where it is missing; holds a SQLite file for each database */
export async function startFerretDb (path: string, dir: string): Promise<FerretDb> {
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start (): Promise<void> {
    await mkdir(dir, { recursive: true })
    child = spawn(path, [`127.0.0.1:${port}`, dir], { stdio: ['ignore', 'ignore', 'pipe'] })
    endWithUs(child)
    const said: string[] = []
    child.stderr?.on('data', chunk => { if (said.push(String(chunk)) > 20) said.shift() })
    await listens(child, port, said)
  }

  async function kill (): Promise<void> {
    if (child !== undefined) await killChild(child)
  }

  await start()
  return { url: `mongodb://127.0.0.1:${port}/`, port, pid: () => child?.pid, kill, start }
}

/** It says nothing when it is ready, and takes no port 0 that it would tell. */
async function listens (child: ChildProcess, port: number, said: readonly string[]): Promise<void> {
  const deadline = performance.now() + startMaxMs
  while (child.exitCode === null && performance.now() < deadline) {
    const socket = connect(port, '127.0.0.1')
    const answers = await new Promise<boolean>(resolve => {
      socket.once('connect', () => { resolve(true) }).once('error', () => { resolve(false) })
    })
    socket.destroy()
    if (answers) return
    await pause(20)
  }
  child.kill('SIGKILL')
  throw new Error(`FerretDB did not start:\n${said.join('')}`)
}
