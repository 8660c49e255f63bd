/**
 * Rewrites the maximum of a WebAssembly module's own memory. Node's resource limits do not bound
 * WebAssembly memory, and PDFium's build allows 2 GB, so a bomb has to meet its limit here.
 */

const memorySection = 5
const pageBytes = 65_536

/**
 * @param wasm      a module that defines (not imports) one memory with a maximum
 * @param bytesMax  new maximum; rounded down to pages of 64 KiB, not below the module's minimum
 * @returns         a changed copy of the same length
 * @throws          Error when the module has no such memory
 * @see             WebAssembly Core Specification 2.0, 5.5.8 (memory section), 5.2.2 (LEB128)
 */
export function capWasmMemory (wasm: Uint8Array, bytesMax: number): Uint8Array {
  let at = 8
  while (at < wasm.length) {
    const id = wasm[at]
    const size = readLeb(wasm, at + 1)
    if (id === memorySection) return capSection(wasm, size.end, bytesMax)
    at = size.end + size.value
  }
  throw new Error('Expected a WebAssembly module with a memory section.')
}

function capSection (wasm: Uint8Array, start: number, bytesMax: number): Uint8Array {
  const count = readLeb(wasm, start)
  if (count.value !== 1 || wasm[count.end] !== 1) {
    throw new Error('Expected one WebAssembly memory with a maximum.')
  }
  const least = readLeb(wasm, count.end + 1)
  const most = readLeb(wasm, least.end)
  const pages = Math.max(least.value, Math.min(most.value, Math.floor(bytesMax / pageBytes)))
  const capped = wasm.slice()
  writeLeb(capped.subarray(least.end, most.end), pages)
  return capped
}

function readLeb (bytes: Uint8Array, at: number): { value: number, end: number } {
  let value = 0
  for (let shift = 0, end = at; ; shift += 7, end++) {
    const byte = bytes[end] ?? 0
    value += (byte & 127) * 2 ** shift
    if (byte < 128) return { value, end: end + 1 }
  }
}

/** Fills all of `room`, padding with continuation bytes, so that nothing behind it moves. */
function writeLeb (room: Uint8Array, value: number): void {
  for (let i = 0; i < room.length; i++) {
    const more = i < room.length - 1 ? 128 : 0
    room[i] = (value & 127) | more
    value = Math.floor(value / 128)
  }
}
