import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { engineOrSkip } from '../../testing/engines.ts'
import { startNats } from '../../testing/nats-server.ts'
import type { DeliveryFailure } from '../bus.ts'
import { natsBus, type BusState } from '../nats.ts'
import { busContract, collecting, gate } from './contract.ts'

const quick = { pauseMs: 50, ackWaitMs: 1_000, expiresMs: 1_000 }
const one = { durable: 'd', concurrency: 1, deliveriesMax: 3 }

const path = await engineOrSkip(t, 'nats-server')
if (path !== undefined) await all(path)

async function all (path: string): Promise<void> {
  const server = await startNats(path, t.testdir())
  t.teardown(server.kill)
  await busContract(t, {
    name: 'NATS JetStream',
    open: async () => ({ bus: await natsBus({ url: server.url, prefix: 'contract', ...quick }) }),
    exempt: ['several durables on one subject']
  })
}
