/** What carries the bus, the stores and the blobs: the settings decide, each for itself. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import { folderBlobs } from '../blobs/folder.ts'
import type { Bus } from '../bus/bus.ts'
import { memoryBus } from '../bus/memory.ts'
import type { HouseConfig } from '../config/config.ts'
import { embeddedStore } from '../store/embedded.ts'
import type { Store } from '../store/store.ts'
import type { ServiceName } from './service.ts'

export async function openBus (_house: HouseConfig, log: Logger): Promise<Bus> {
  return memoryBus({
    onFailure: ({ cause, ...failure }) => { log.warn({ err: cause, ...failure }, 'an event was not handled') }
  })
}

/** Of one service: no other reads it. */
export async function openStore (house: HouseConfig, service: ServiceName): Promise<Store> {
  return await embeddedStore(join(house.DATA_DIR, `${service}.db`), { sync: house.STORE_SYNC })
}

export async function openBlobs (house: HouseConfig, service: ServiceName): Promise<Blobs> {
  if (house.S3_URL !== undefined) {
    // Loaded only here: its client costs those nothing who keep files in a folder.
    const { s3Blobs } = await import('../blobs/s3.ts')
    return await s3Blobs({ ...house, S3_URL: house.S3_URL }, service)
  }
  return await folderBlobs(join(house.DATA_DIR, 'blobs', service))
}
