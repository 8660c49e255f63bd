/** A headless Chromium, driven over its DevTools protocol: what a person at the page sees and presses. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { WebSocket } from 'undici'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
  '--remote-debugging-port=0']
const startMs = 20_000

/** The browser of this machine, or undefined: `CHROMIUM` names another. */
export function findChromium (): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  const places = PATH.split(delimiter).flatMap(folder => names.map(name => join(folder, name)))
  return [...CHROMIUM === undefined ? [] : [CHROMIUM], ...places].find(path => existsSync(path))
}

export interface Tab {
  goto: (url: string) => Promise<void>
  /** The value of an expression in the page; promises are waited for. */
  evaluate: <T>(expression: string) => Promise<T>
  /** Asks until the expression is true. @throws Error after ten seconds, with what the page shows */
  until: (expression: string) => Promise<void>
  /** One key as a person presses it, for example `a`, `?`, `Enter`, `Escape`. */
  press: (key: string, modifiers?: { control?: boolean }) => Promise<void>
  type: (text: string) => Promise<void>
  screenshot: () => Promise<Buffer>
  /** What the page's own policy refused, and errors nobody caught. */
  complaints: string[]
}

interface Message { id?: number, method?: string, params?: any, result?: any, error?: { message: string } }

/** @param size  of the window, in CSS pixels */
export async function openTab (
  chromium: string, size = { width: 1280, height: 800 }
): Promise<Tab & { close: () => Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'viva-chromium-'))
  const child = spawn(chromium, [...flags, `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] })
  const socket = new WebSocket(await addressOf(child))
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => { resolve() }
    socket.onerror = () => { reject(new Error('Chromium takes no connection')) }
  })
  const waiting = new Map<number, (message: Message) => void>()
  const complaints: string[] = []
  let count = 0
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    complaints.push(...complaintsIn(message))
  }
  const session: { sessionId?: string } = {}
  async function send (method: string, params: object = {}): Promise<any> {
    const id = ++count
    const answer = await new Promise<Message>(resolve => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params, ...session }))
    })
    waiting.delete(id)
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
  const { targetInfos } = await send('Target.getTargets')
  const { targetId } = targetInfos.find(({ type }: { type: string }) => type === 'page')
  session.sessionId = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`)
  await send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false })

  return {
    ...tabOver(send),
    complaints,
    async close () {
      const ended = new Promise(resolve => child.once('exit', resolve))
      socket.close()
      child.kill()
      await ended
      // Processes of its own still write there for seconds, on a busy machine.
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  }
}

async function addressOf (child: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => { reject(new Error(`Chromium does not start: ${said}`)) }, startMs)
    child.once('error', reject)
    child.stderr?.on('data', chunk => {
      said += String(chunk)
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

function complaintsIn ({ method, params }: Message): string[] {
  if (method === 'Runtime.exceptionThrown') {
    const { exception, text } = params.exceptionDetails
    return [String(exception?.description ?? text)]
  }
  if (method === 'Log.entryAdded' && params.entry.level === 'error') {
    return [`${params.entry.text} ${params.entry.url ?? ''}`]
  }
  return []
}

function tabOver (send: (method: string, params?: object) => Promise<any>): Omit<Tab, 'complaints'> {
  async function evaluate<T> (expression: string): Promise<T> {
    const { result, exceptionDetails } = await send('Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true })
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    }
    return result.value
  }
  const codes: Record<string, number> = { Enter: 13, Escape: 27, Tab: 9 }
  return {
    evaluate,
    async goto (url) { await send('Page.navigate', { url }) },
    async until (expression) {
      for (const end = performance.now() + 10_000; ;) {
        if (await evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return
        if (performance.now() > end) {
          throw new Error(`Never: ${expression}\n${await evaluate('document.body.innerText')}`)
        }
        await evaluate('new Promise(resolve => setTimeout(resolve, 20))')
      }
    },
    async press (key, { control = false } = {}) {
      const text = key.length === 1 && !control ? key : key === 'Enter' ? '\r' : undefined
      const windowsVirtualKeyCode = codes[key] ?? key.toUpperCase().charCodeAt(0)
      const modifiers = control ? 2 : 0
      const event = { key, modifiers, windowsVirtualKeyCode, ...text !== undefined && { text } }
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
    },
    async type (text) { await send('Input.insertText', { text }) },
    async screenshot () {
      const { data } = await send('Page.captureScreenshot', { format: 'png' })
      return Buffer.from(data, 'base64')
    }
  }
}
