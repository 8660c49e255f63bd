/** Archives written by hand, with whatever names, kinds and sizes one likes. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface TarEntry { name: string, body?: Uint8Array, kind?: string, link?: string, size?: number }

/** ustar (POSIX.1-1988); `size` may lie. */
export function tarOf (entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(tarEntry), Buffer.alloc(1_024)])
}

function tarEntry ({ name, body = Buffer.alloc(0), kind = '0', link = '', size = body.length }: TarEntry): Buffer[] {
  const header = Buffer.alloc(512)
  header.write(name.slice(0, 100), 0, 'utf8')
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0').slice(-11)}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(kind, 156)
  header.write(link.slice(0, 100), 157, 'utf8')
  header.write('ustar\x0000', 257)
  header.write(`${header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148)
  return [header, Buffer.from(body), Buffer.alloc((512 - body.length % 512) % 512)]
}

export interface ZipEntry {
  name: string
  body: Uint8Array
  flags?: number
  attributes?: number
  claims?: { size?: number, crc?: number }
}

/** PKWARE APPNOTE 6.3, deflated; `claims` may lie. */
export function zipOf (entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, body, flags = 0, attributes = 0, claims = {} } of entries) {
    const packed = deflateRawSync(body, { level: 9 })
    const label = Buffer.from(name, 'utf8')
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(claims.crc ?? crc32(body), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claims.size ?? body.length, 18)
    fields.writeUInt16LE(label.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, label, packed])
    const rest = Buffer.alloc(16)
    rest.writeUInt32LE(attributes >>> 0, 8)
    rest.writeUInt32LE(at, 12)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), fields, rest.subarray(2), label]))
    parts.push(local)
    at += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length & 0xffff, 8)
  end.writeUInt16LE(entries.length & 0xffff, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, central, end])
}
