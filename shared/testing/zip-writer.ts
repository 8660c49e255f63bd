/** Zip files for tests, with every lie a header can tell. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string | Buffer
  data: Uint8Array
  /** Unix mode in the upper half of the external attributes. */
  mode?: number
  encrypted?: boolean
  badCrc?: boolean
  /** Sizes after the data instead of before it. */
  descriptor?: boolean
  /** Sizes in the extra field of zip64. */
  zip64?: boolean
  /** What the headers claim the data inflates to. */
  claimedSize?: number
}

export function makeZip (entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, central } = writeEntry(entry, offset)
    parts.push(local)
    directory.push(central)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054B50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

function writeEntry (entry: ZipEntry, offset: number) {
  const name = Buffer.from(entry.name as string)
  const packed = deflateRawSync(entry.data)
  const crc = crc32(entry.data) ^ (entry.badCrc === true ? 1 : 0)
  const flags = 0x800 | (entry.encrypted === true ? 1 : 0) | (entry.descriptor === true ? 8 : 0)
  const size = entry.claimedSize ?? entry.data.length
  const big = entry.zip64 === true
  const fields = (buffer: Buffer, at: number, bare: boolean) => {
    buffer.writeUInt16LE(flags, at)
    buffer.writeUInt16LE(8, at + 2)
    buffer.writeUInt32LE(bare ? 0 : crc >>> 0, at + 8)
    buffer.writeUInt32LE(bare ? 0 : big ? 0xFFFFFFFF : packed.length, at + 12)
    buffer.writeUInt32LE(bare ? 0 : big ? 0xFFFFFFFF : size, at + 16)
    buffer.writeUInt16LE(name.length, at + 20)
  }
  const extra = big ? Buffer.alloc(20) : Buffer.alloc(0)
  if (big) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(16, 2)
    extra.writeBigUInt64LE(BigInt(size), 4)
    extra.writeBigUInt64LE(BigInt(packed.length), 12)
  }
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034B50, 0)
  head.writeUInt16LE(20, 4)
  fields(head, 6, entry.descriptor === true)
  head.writeUInt16LE(extra.length, 28)
  const tail = entry.descriptor === true ? Buffer.alloc(16) : Buffer.alloc(0)
  if (tail.length > 0) {
    tail.writeUInt32LE(0x08074B50, 0)
    tail.writeUInt32LE(crc >>> 0, 4)
    tail.writeUInt32LE(packed.length, 8)
    tail.writeUInt32LE(size, 12)
  }
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014B50, 0)
  central.writeUInt16LE(3 << 8 | 20, 4)
  central.writeUInt16LE(20, 6)
  fields(central, 8, false)
  central.writeUInt16LE(extra.length, 30)
  central.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38)
  central.writeUInt32LE(offset, 42)
  return {
    local: Buffer.concat([head, name, extra, packed, tail]), central: Buffer.concat([central, name, extra])
  }
}
