/** Pictures of archives and web pages as PNG. */

export interface Picture { png: Uint8Array, width: number, height: number }

/** @returns undefined for what cannot be read or is of another kind */
export async function toPng (bytes: Uint8Array): Promise<Picture | undefined> {
  const view = Buffer.from(bytes)
  if (view.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1A\n' || view.length < 33) return undefined
  return { png: bytes, width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
}
