/** Images as a row names them, and whether they show anything. */
import { note } from '../domain/bank.ts'
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { sha256 } from '../../../../shared/contracts/hash.ts'
import type { Draft } from '../domain/draft.ts'
import type { Found } from '../domain/finish-row.ts'
import { limits } from '../domain/limits.ts'
import { member } from '../../../../shared/text/member.ts'
import { inspectImage, type Inspected } from './inspect-image.ts'

/** Why there is no image. */
export interface Fault { code: string, detail: string }

/** Of the file that the rows came with. */
export interface Files {
  /**
   * What a name leads to; the fault names why there is nothing. Where several files are called so, the one
   * in the folder that is named like the row is meant.
   */
  find: (name: string, row: string | null) => { place: string } | Fault
  read: (place: string) => Promise<Buffer | Fault>
}

export interface ImageSink {
  (image: { imageId: string, mediaType: string, bytes: Uint8Array }): Promise<void>
}

export interface ImageReader {
  /** @param row what the file calls it */
  found: (draft: Draft, row: string | null) => Promise<Found>
  count: () => number
}

interface Looked { imageId?: string, notes: RowNote[] }
type Bytes = { bytes: Uint8Array, declared?: string }
type Told = { bytes: Uint8Array, declared?: string } | { place: string } | Fault

export function imageReader (files: Files | undefined, keep: ImageSink): ImageReader {
  const known = new Map<string, Inspected>()
  const placed = new Map<string, Looked>()

  async function look (ref: unknown, field: string, row: string | null): Promise<Looked> {
    const told = bytesOf(ref, files, row)
    if ('code' in told) return faulty(told, field)
    if (!('place' in told)) return await lookAt(told, field)
    // Rows may show the same file; it is read once.
    const before = placed.get(told.place)
    if (before !== undefined) return { ...before, notes: before.notes.map(each => ({ ...each, field })) }
    const bytes = await files!.read(told.place)
    const looked = 'code' in bytes
      ? faulty(bytes, field)
      : await lookAt({ bytes, ...declaredBy(told.place) }, field)
    placed.set(told.place, looked)
    return looked
  }

  async function lookAt ({ bytes, declared }: Bytes, field: string): Promise<Looked> {
    if (bytes.byteLength > limits.imageBytes) return { notes: [tooLarge(field, bytes.byteLength)] }
    const imageId = sha256(bytes)
    let seen = known.get(imageId)
    if (seen === undefined) {
      seen = inspectImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      known.set(imageId, seen)
      if (seen.mediaType !== undefined) await keep({ imageId, mediaType: seen.mediaType, bytes })
    }
    const notes = seen.faults.map(({ code, detail }) => note(code, field, detail))
    if (seen.mediaType === undefined) return { notes }
    const differs = declared !== undefined && declared !== seen.mediaType
    if (differs) notes.push(note('image-type-differs', field, `It is called ${declared} and is ${seen.mediaType}; the bytes count.`))
    return { imageId, notes }
  }

  return {
    count: () => [...known.values()].filter(({ mediaType }) => mediaType !== undefined).length,
    async found ({ images, choices }, row) {
      const found: Found = { question: [], choices: [], notes: [] }
      for (const { ref, field } of images) {
        const looked = await look(ref, field, row)
        found.notes.push(...looked.notes)
        if (looked.imageId !== undefined) found.question.push(looked.imageId)
      }
      for (const [at, { image }] of choices.entries()) {
        const looked = image === undefined ? undefined : await look(image, `choices[${at}]`, row)
        found.notes.push(...looked?.notes ?? [])
        found.choices.push(looked?.imageId)
      }
      return found
    }
  }
}

function faulty ({ code, detail }: Fault, field: string): Looked {
  return { notes: [note(code, field, detail)] }
}

function tooLarge (field: string, bytes: number): RowNote {
  return note('image-too-large', field, `It has ${Math.ceil(bytes / 2 ** 20)} MiB, at most ${limits.imageBytes / 2 ** 20} are taken.`)
}

function bytesOf (ref: unknown, files: Files | undefined, row: string | null): Told {
  if (ref instanceof Uint8Array) return { bytes: ref }
  if (ref !== null && typeof ref === 'object' && !Array.isArray(ref)) return bytesIn(ref, files, row)
  if (typeof ref !== 'string') return { code: 'image-unreadable', detail: 'The image is neither bytes, a path nor a data URL.' }
  const text = ref.trim()
  if (text.startsWith('data:')) return ofDataUrl(text)
  if (/^[a-z][a-z\d+.-]{1,20}:\/\//i.test(text) || text.startsWith('//')) return { code: 'image-remote', detail: 'The image is an address. Addresses are not fetched; send the images in a zip beside the rows.' }
  if (text.length > 200 && /^[A-Za-z\d+/\s]+=*$/.test(text)) return { bytes: Buffer.from(text, 'base64') }
  if (text.length > 1_000) return { code: 'image-unreadable', detail: 'The image is neither a path, a data URL nor base64.' }
  if (files === undefined) return { code: 'image-missing', detail: `The file has rows alone; send it in a zip with "${shown(text)}".` }
  return files.find(text, row)
}

/** {bytes, path} of Hugging Face's datasets; {src} of its viewer. */
function bytesIn (ref: object, files: Files | undefined, row: string | null): Told {
  const inner = [member(ref, 'bytes'), member(ref, 'path'), member(ref, 'src'), member(ref, 'image')]
    .find(each => each !== undefined && each !== null && each !== '')
  if (inner === undefined || (typeof inner === 'object' && !(inner instanceof Uint8Array))) return { code: 'image-unreadable', detail: 'The image is an object without bytes or path.' }
  return bytesOf(inner, files, row)
}

function ofDataUrl (text: string): Bytes | Fault {
  const comma = text.indexOf(',')
  const head = /^data:([^;,]{0,100})(?:;[^;,]{1,100}){0,3};base64$/i.exec(text.slice(0, Math.max(comma, 0)))
  if (head === null) return { code: 'image-unreadable', detail: 'The data URL is not in base64.' }
  const bytes = Buffer.from(text.slice(comma + 1), 'base64')
  return { bytes, ...head[1] !== '' && { declared: head[1]!.toLowerCase().replace('image/jpg', 'image/jpeg') } }
}

const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' }

function declaredBy (name: string): { declared?: string } {
  const extension = /\.([a-z]{3,4})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(types, extension) ? { declared: types[extension]! } : {}
}

export function shown (name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '\uFFFD').slice(0, 100)
}
