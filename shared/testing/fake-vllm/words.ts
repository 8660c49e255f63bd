/** Texts made from a number: the same request, the same text. Every word is one token of four bytes. */

const plain = ('the and for are but not you all can had her was one our out day get has him his how man new now ' +
  'old see two way who boy did its let put say she too use dad mom run sun sea sky red ice map ray log fit sum').split(' ').map(each => `${each} `)
/** Two, three and four bytes long, so that a stream cut at the wrong place shows. */
const wide = ['né ', '漢 ', '🙂', 'tü ', '的 ', '🚀', 'oß ', 'か ']

/** @returns a 32-bit hash of text, FNV-1a with a last mixing */
export function hashText (text: string, seed = 0): number {
  let hash = (2166136261 ^ seed) >>> 0
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619)
  return mix(hash)
}

/** The same for bytes, four at a time. */
export function hashBytes (bytes: Buffer, seed = 0): number {
  let hash = (2166136261 ^ seed ^ bytes.length) >>> 0
  const whole = bytes.length - bytes.length % 4
  for (let at = 0; at < whole; at += 4) hash = mix(hash ^ bytes.readInt32LE(at))
  for (let at = whole; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 16777619)
  return mix(hash)
}

/** MurmurHash3's finalizer: every bit of the input moves every bit of the output. */
export function mix (value: number): number {
  let mixed = value >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Word `at` of the text of `key`; every fifth has a multi-byte character. */
export function word (key: number, at: number): string {
  const drawn = mix(key ^ Math.imul(at + 1, 0x9e3779b1))
  const from = at % 5 === 4 ? wide : plain
  return from[drawn % from.length] ?? ''
}

/** As many words as tokens are wanted. */
export function words (key: number, count: number): string[] {
  const made: string[] = new Array<string>(count)
  for (let at = 0; at < count; at++) made[at] = word(key, at)
  return made
}

/** How long a text is when nothing bounds it: 8 to 63 tokens. */
export function naturalLength (key: number): number {
  return 8 + mix(key ^ 0x51ed270b) % 56
}
