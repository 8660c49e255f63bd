/**
 * What carries the bus, the stores and the blobs: the settings decide, each for itself. Clients of
 * servers are loaded only where one is set, so that they cost nobody else a slower start.
 */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import { folderBlobs } from '../blobs/folder.ts'
import type { Bus, DeliveryFailure } from '../bus/bus.ts'
import { memoryBus } from '../bus/memory.ts'
import type { BusState } from '../bus/nats-health.ts'
import type { HouseConfig } from '../config/config.ts'
import { embeddedStore } from '../store/embedded.ts'
import type { Store } from '../store/store.ts'
import type { ServiceName } from './service.ts'

/** @throws Error whose message tells the user what to change, for a wrong NATS_URL or wrong credentials */
export async function openBus (house: HouseConfig, log: Logger): Promise<Bus> {
  const { NATS_URL, NATS_CREDS, NATS_PREFIX } = house
  const onFailure = ({ cause, ...failure }: DeliveryFailure): void => {
    if (failure.givenUp) log.warn({ err: cause, ...failure }, 'an event was not handled')
    else log.info({ err: cause, ...failure }, 'an event was not handled yet, and comes again')
  }
  if (NATS_URL === undefined) return memoryBus({ onFailure })
  const onState = ({ working, detail }: BusState): void => {
    if (working) log.info({ detail }, 'NATS is connected')
    else log.warn({ detail }, 'NATS cannot be used; work goes on without, more slowly')
  }
  const credentials = NATS_CREDS !== undefined && { credentials: NATS_CREDS }
  const { natsBus } = await import('../bus/nats.ts')
  return await natsBus({ url: NATS_URL, ...credentials, prefix: NATS_PREFIX, onFailure, onState })
}

/** Of one service: no other reads it. */
export async function openStore (house: HouseConfig, service: ServiceName, log: Logger): Promise<Store> {
  const { MONGO_URL } = house
  if (MONGO_URL !== undefined) {
    const [{ mongoStore }, { databaseOf }] =
      await Promise.all([import('../store/mongo.ts'), import('../store/mongo-client.ts')])
    return await mongoStore(MONGO_URL, { database: databaseOf(MONGO_URL, service), log })
  }
  return await embeddedStore(join(house.DATA_DIR, `${service}.db`), { sync: house.STORE_SYNC })
}

export async function openBlobs (house: HouseConfig, service: ServiceName): Promise<Blobs> {
  if (house.S3_URL !== undefined) {
    const { s3Blobs } = await import('../blobs/s3.ts')
    return await s3Blobs({ ...house, S3_URL: house.S3_URL }, service)
  }
  return await folderBlobs(join(house.DATA_DIR, 'blobs', service))
}
