/** What carries the bus, the stores and the blobs: the settings decide, each for itself. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import { folderBlobs } from '../blobs/folder.ts'
import type { Bus } from '../bus/bus.ts'
import { memoryBus } from '../bus/memory.ts'
import type { HouseConfig } from '../config/config.ts'
import { embeddedStore } from '../store/embedded.ts'
import { databaseOf } from '../store/mongo-client.ts'
import { mongoStore } from '../store/mongo.ts'
import type { Store } from '../store/store.ts'
import type { ServiceName } from './service.ts'

export async function openBus (_house: HouseConfig, log: Logger): Promise<Bus> {
  return memoryBus({
    onFailure: ({ cause, ...failure }) => { log.warn({ err: cause, ...failure }, 'an event was not handled') }
  })
}

/** Of one service: no other reads it. */
export async function openStore (house: HouseConfig, service: ServiceName, log: Logger): Promise<Store> {
  const { MONGO_URL } = house
  if (MONGO_URL !== undefined) {
    return await mongoStore(MONGO_URL, { database: databaseOf(MONGO_URL, service), log })
  }
  return await embeddedStore(join(house.DATA_DIR, `${service}.db`), { sync: house.STORE_SYNC })
}

export async function openBlobs (house: HouseConfig, service: ServiceName): Promise<Blobs> {
  return await folderBlobs(join(house.DATA_DIR, 'blobs', service))
}
