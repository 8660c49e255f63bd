import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import t from 'tap'
import { sha256 } from '../../contracts/hash.ts'
import { folderBlobs } from '../folder.ts'
import { blobsContract } from './contract.ts'

const exec = promisify(execFile)
let folders = 0
const fresh = (): string => join(t.testdirName, String(folders++))
t.testdir({})

await blobsContract(t, { name: 'a folder', open: async () => await folderBlobs(fresh()) })

t.test('what is in the folder', async t => {
  const dir = fresh()
  const blobs = await folderBlobs(dir)
  const { id } = await blobs.put(Buffer.from('one'))
  await blobs.put(Readable.from([Buffer.alloc(10)]), 5).catch(() => {})

  t.test('a blob lies two folders deep under its id', async t => {
    t.equal((await stat(join(dir, id.slice(0, 2), id.slice(2, 4), id))).size, 3)
  })
  t.test('nothing half written stays, after success and failure alike', async t => {
    t.same(await readdir(join(dir, 'tmp')), [])
  })
  t.test('another handle on the folder finds it', async t => {
    t.same(await (await folderBlobs(dir)).find(id), Buffer.from('one'))
  })
  t.test('a stream already open outlives the deletion of its blob', async t => {
    const { id } = await blobs.put(Buffer.from('read me'))
    const stream = await blobs.stream(id) as Readable
    await blobs.delete(id)
    const [chunk] = await once(stream, 'data')
    t.same(chunk, Buffer.from('read me'))
  })
})

t.test('starting', async t => {
  t.test('sweeps what nobody has touched for long, and leaves what a live process writes', async t => {
    const dir = fresh()
    const tmp = join(dir, 'tmp')
    const blobs = await folderBlobs(dir)
    let release = (): void => {}
    const held = new Promise<void>(resolve => { release = resolve })
    const writing = blobs.put(Readable.from((async function * () {
      yield Buffer.from('first')
      await held
      yield Buffer.from('second')
    })()))
    let live: string[] = []
    while (live.length === 0) live = await readdir(tmp)
    for (const name of ['fresh', 'old']) await writeFile(join(tmp, name), 'half')
    const anHourAgo = new Date(Date.now() - 3_600_000)
    await utimes(join(tmp, 'old'), anHourAgo, anHourAgo)
    const left = [...live, 'fresh'].sort()

    await folderBlobs(dir)
    t.same((await readdir(tmp)).sort(), left)

    t.comment('in another container, with the same host name and number')
    const program = `import { folderBlobs } from '${new URL('../folder.ts', import.meta.url).href}'; await folderBlobs('${dir}')`
    const options = ['--import', 'tsx', '--input-type=module', '-e', program]
    const outcome = await exec('unshare', ['--pid', '--fork', '--mount-proc', process.execPath, ...options])
      .then(() => 'swept', (cause: Error) => /unshare: |ENOENT/.test(cause.message) ? 'no namespaces here' : cause.message)
    t.match(outcome, /^(swept|no namespaces here)$/)
    t.same((await readdir(tmp)).sort(), left)

    t.comment('with a clock an hour ahead')
    const { now } = Date
    Date.now = () => now() + 3_600_000
    t.teardown(() => { Date.now = now })
    await folderBlobs(dir)
    t.same((await readdir(tmp)).sort(), left)
    release()
    t.same(await writing, { id: sha256('firstsecond'), bytes: 11 })
  })

  t.test('in a place that is a file is store-unavailable', async t => {
    const dir = fresh()
    await writeFile(dir, 'not a folder')
    await t.rejects(folderBlobs(dir), { name: 'Problem', kind: 'store-unavailable' })
  })
})

t.test('a disk that fails', async t => {
  const dir = fresh()
  const blobs = await folderBlobs(dir)
  t.test('for want of space is disk-full, and the store goes on', async t => {
    // No disk can be filled here, so the error that a write would meet comes with the stream.
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const source = Readable.from((function * () { throw full })())
    await t.rejects(blobs.put(source), { name: 'Problem', kind: 'disk-full' })
    t.same((await blobs.put(Buffer.from('x'))).bytes, 1)
  })
  t.test('for want of rights is store-unavailable', {
    skip: process.getuid?.() === 0 && 'root may write anywhere'
  }, async t => {
    await chmod(join(dir, 'tmp'), 0o500)
    t.teardown(async () => await chmod(join(dir, 'tmp'), 0o700))
    await t.rejects(blobs.put(Buffer.from('x')), { name: 'Problem', kind: 'store-unavailable' })
  })
})
