/** What an image is, by its first bytes: nothing else that is said of it is believed. */

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

const starts: ReadonlyArray<[type: ImageType, start: string]> = [
  ['image/png', '\x89PNG\r\n\x1a\n'], ['image/jpeg', '\xff\xd8\xff'], ['image/gif', 'GIF87a'], ['image/gif', 'GIF89a']
]

/** Undefined for anything that is neither PNG, JPEG, GIF nor WebP. */
export function imageTypeOf (bytes: Uint8Array): ImageType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  const found = starts.find(([, start]) => head.startsWith(start))
  if (found !== undefined) return found[0]
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : undefined
}

/** Of a file's name, with its dot. */
export function endingOf (type: ImageType): string {
  return { 'image/png': '.png', 'image/jpeg': '.jpg', 'image/gif': '.gif', 'image/webp': '.webp' }[type]
}
