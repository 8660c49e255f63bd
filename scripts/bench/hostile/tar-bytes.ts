/** Tar archives written by hand, with whatever names, kinds and sizes one likes. */

export interface TarEntry { name: string, data?: Uint8Array, kind?: string, link?: string, size?: number }

/** ustar (POSIX.1-1988); `size` may lie. */
export function tarOf (entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(tarEntry), Buffer.alloc(1_024)])
}

function tarEntry ({ name, data = Buffer.alloc(0), kind = '0', link = '', size = data.length }: TarEntry): Buffer[] {
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
  return [header, Buffer.from(data), Buffer.alloc((512 - data.length % 512) % 512)]
}
