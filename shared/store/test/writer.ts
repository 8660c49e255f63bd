/**
 * A process that writes until it is killed, or until it has done its share: FILE ROUND SHARE.
 * 32 writers each insert a document, update it and count it; what is acknowledged is printed as
 * `id count`, after the fact.
 */
import { writeSync } from 'node:fs'
import { embeddedStore } from '../embedded.ts'
import { counterId, textOf, type Written } from './kill-round.ts'

const [file = '', round = '0', share = '0'] = process.argv.slice(2)
if (file === '') throw new Error('Expected FILE ROUND SHARE')
const last = share === '0' ? Infinity : Number(share)
const store = await embeddedStore(file)
const documents = await store.collection<Written>('written', [{ keys: ['state'] }, { keys: ['key'], unique: true }])
await documents.insert({ _id: counterId, state: 'counter', n: 0 })

let next = 0
async function write (): Promise<void> {
  while (next < last) {
    const id = `${round}-${next++}`
    if (!await documents.insert({ _id: id, key: id, state: 'new', n: 0, text: textOf(id) })) {
      throw new Error(`${id} was there before`)
    }
    await documents.update(id, { state: 'new' }, { $set: { state: 'changed' }, $inc: { n: 1 } })
    await documents.update(counterId, {}, { $inc: { n: 1 } })
    writeSync(1, `${id}\n`)
  }
}
await Promise.all(Array.from({ length: 32 }, write))
await store.close()
