import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import tap from 'tap'

tap.test('a Node that is too old is told so, by code it can read', async t => {
  const source = readFileSync('scripts/run.mjs', 'utf8')
  const old = spawnSync(process.execPath, ['--input-type=module', '-e',
    `Object.defineProperty(process, 'versions', { value: { node: '18.20.1' } })\n${source}`], { encoding: 'utf8' })
  t.equal(old.status, 1)
  t.match(old.stderr, /needs Node 20\.19 or later; this is 18\.20\.1/)
})
