import { join } from 'node:path'
import t from 'tap'
import { embeddedStore } from '../embedded.ts'
import { storeContract } from './contract.ts'

const dir = t.testdir({})

await storeContract(t, { name: 'SQLite', open: async key => await embeddedStore(join(dir, `${key}.db`)) })
