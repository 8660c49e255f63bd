import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tap from 'tap'
import { engineOrSkip } from '../../testing/engines.ts'
import { startFerretDb } from '../../testing/ferretdb.ts'
import { mongoStore } from '../mongo.ts'
import { storeContract, type Exemption } from './contract.ts'

/**
 * What FerretDB 1.24.2 does not do over SQLite, and MongoDB does:
 * - concurrent updates: it reads the document, and writes it back by `_id`, with no transaction around
 *   both, so two guarded updates at once may both succeed, and one of two increments be lost
 * - unique updates: one that would break a unique index is not made, but the error does not say why
 * - nested arrays: a list in a list is refused
 */
const exempt: readonly Exemption[] = ['concurrent updates', 'unique updates', 'nested arrays']

tap.test('MongoDB, its protocol spoken by FerretDB', async t => {
  const engine = await engineOrSkip(t, 'ferretdb')
  if (engine === undefined) return
  const dir = await mkdtemp(join(tmpdir(), 'viva-mongo-'))
  const server = await startFerretDb(engine, dir)
  t.teardown(async () => {
    await server.kill()
    await rm(dir, { recursive: true })
  })
  await storeContract(t, {
    name: 'MongoDB',
    open: async key => await mongoStore(server.url, { database: `contract-${key}` }),
    exempt: process.env.NO_EXEMPTIONS === '1' ? [] : exempt
  })
})
