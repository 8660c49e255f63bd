/**
 * The one test command: types, lint, the house rules, then every test; further arguments go to tap.
 * Ends with a line `N passed, N failed` that counts assertions; the exit code is 0 only without a failure.
 */
import { spawn } from 'node:child_process'

const bin = (name: string) => `node_modules/.bin/${name}${process.platform === 'win32' ? '.cmd' : ''}`
const files = process.argv.slice(2)

const checks: Array<[string, string, string[]]> = files.length > 0
  ? []
  : [
      ['types', bin('tsc'), ['-p', '.']],
      ['lint', bin('eslint'), ['.']],
      ['house rules', process.execPath, ['--import', 'tsx', 'scripts/tidy.ts']],
      // Before the tests that would each wait for it: the first time takes some minutes.
      ['servers to test against', process.execPath, ['--import', 'tsx', 'scripts/engines.ts']]
    ]

let passed = 0
let failed = 0
// Each check keeps one core busy; the tests keep two.
const results = await Promise.all(checks.map(async ([name, command, args]) =>
  ({ name, ...await run(command, args) })))
for (const { name, code, output } of results) {
  if (code === 0) passed++
  else failed++
  if (code !== 0 || name === 'servers to test against') process.stdout.write(output)
  process.stdout.write(`${code === 0 ? 'ok' : 'not ok'} - ${name}\n`)
}

const { code, output } = await run(bin('tap'), ['--reporter=tap', ...files], line => {
  // Files as they end, and whatever failed or was skipped in them.
  if (/^(not )?ok |^ *not ok |# SKIP|^# (?!time)/.test(line)) process.stdout.write(`${line}\n`)
})
const totals = [...output.matchAll(/^# \{ (.*) \}/gm)].at(-1)?.[1] ?? ''
const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(totals)?.[1] ?? 0)
passed += count('pass')
failed += count('fail')
if (code !== 0) {
  process.stdout.write(output.split('\n').filter(line => !/^ *ok /.test(line)).slice(-400).join('\n'))
  failed = Math.max(failed, 1)
}
if (count('pass') === 0) { failed++; process.stdout.write('no test ran\n') }
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

async function run (
  command: string, args: string[], onLine: (line: string) => void = () => {}
): Promise<{ code: number, output: string }> {
  return await new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32'
    })
    let output = ''
    let rest = ''
    const take = (chunk: Buffer) => {
      output += String(chunk)
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(onLine)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', reject)
    child.on('close', code => { resolve({ code: code ?? 1, output }) })
  })
}
