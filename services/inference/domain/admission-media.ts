/** What a request shows a model beside text: checked before it waits, not after a server has decoded it. */
import { settingOf, type AdmissionLimits, type MediaKind } from './admission-limits.ts'
import { bytesAt, dataUrlOf, decodedBytes, isBase64, type DataUrl } from './data-url.ts'
import { fault, shown, tooLarge } from './field-fault.ts'
import { formatOf, imageHeader } from '../../../shared/images/image-header.ts'
import { isObject } from './json-object.ts'

/** Where media is in a content part; vLLM reads these with and without a `type` that says so. */
export const mediaFields = new Map<string, MediaKind>([
  ['image_url', 'image'], ['input_image', 'image'],
  ['audio_url', 'audio'], ['input_audio', 'audio'],
  ['video_url', 'video']
])

export interface MediaPlace { field: string, value: unknown, pointer: string }

/**
 * @param place  one media field of a part: a URL, {url}, or for `input_audio` {data, format}
 * @throws       Problem: invalid-request, url-forbidden, limit-exceeded
 */
export function checkMedia ({ field, value, pointer }: MediaPlace, limits: AdmissionLimits): void {
  const kind = mediaFields.get(field) ?? 'image'
  if (!limits.media.includes(kind)) {
    throw fault(pointer, `is ${kind}, which this service does not take; whoever runs it can allow it with ${settingOf.media}.`)
  }
  if (field === 'input_audio') {
    const data = isObject(value) ? value.data : undefined
    if (typeof data !== 'string') throw fault(`${pointer}/data`, 'is base64 text.')
    checkBytes(data, decodedBytes(data), { pointer: `${pointer}/data`, limits })
    return
  }
  const isText = typeof value === 'string'
  const url = isText ? value : isObject(value) ? value.url : undefined
  const at = isText ? pointer : `${pointer}/url`
  if (typeof url !== 'string' || url === '') throw fault(at, `is a URL, not ${shown(url)}.`)
  const data = dataUrlOf(url)
  if (data === undefined) checkAddress(url, at, limits)
  else {
    checkBytes(data.base64, data.bytes, { pointer: at, limits })
    if (kind === 'image') checkImage(data, at, limits)
  }
}

interface At { pointer: string, limits: AdmissionLimits }

function checkBytes (base64: string, bytes: number, { pointer, limits: { imageBytesMax } }: At): void {
  // First, and from the length alone: nothing of a file that is too large is looked at.
  if (bytes > imageBytesMax) {
    throw tooLarge(pointer, `holds ${megabytes(bytes)} MB; the limit for one file is ${megabytes(imageBytesMax)} MB (${settingOf.imageBytesMax}). Send it smaller.`)
  }
  if (base64 === '') throw fault(pointer, 'holds no data.')
  if (!isBase64(base64)) {
    throw fault(pointer, 'is not base64 in the standard alphabet, padded and without line breaks; a server would skip what is not, and see another file.')
  }
}

function checkImage ({ mediaType, base64, bytes }: DataUrl, pointer: string, limits: AdmissionLimits): void {
  const header = imageHeader((start, end) => bytesAt(base64, start, end), bytes)
  if (header === 'not-an-image') throw fault(pointer, 'is not an image of a format taken here: PNG, JPEG, GIF, WebP, BMP.')
  if (header === 'truncated') throw fault(pointer, 'is an image that stops before its end; send all of it.')
  if (formatOf(mediaType) !== header.format) {
    throw fault(pointer, `is declared ${shown(mediaType)} and holds ${header.format.toUpperCase()}; declare image/${header.format}.`)
  }
  const pixels = header.width * header.height
  if (pixels > limits.imagePixelsMax) {
    throw tooLarge(pointer, `shows ${header.width} × ${header.height} pixels; the limit is ${limits.imagePixelsMax / 1_000_000} megapixels (${settingOf.imagePixelsMax}). Send it smaller.`)
  }
}

/**
 * Nothing is fetched by us, but the model server would fetch it, from inside its network. Names are
 * compared in the one form two URL parsers cannot read differently: no user, no backslash, no blank.
 */
function checkAddress (url: string, pointer: string, { mediaHosts }: AdmissionLimits): void {
  const forbid = (detail: string) => fault(pointer, detail, 'url-forbidden')
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(url)?.[1]?.toLowerCase()
  const allow = `whoever runs this service can allow it with ${settingOf.mediaHosts}`
  if (scheme === 'data') throw fault(pointer, 'is a data URL that is not base64; send data:image/png;base64,….')
  if (scheme === 'file') {
    if (mediaHosts.includes('file:')) return
    throw forbid(`names a file of the model server; send a data URL, or ${allow}.`)
  }
  if (scheme !== 'http' && scheme !== 'https') {
    throw forbid(`is ${shown(url)}, which is neither a data URL nor an address that may be fetched; send a data URL.`)
  }
  if (mediaHosts.length === 0) throw forbid(`is an address, and addresses are not fetched here; send a data URL, or ${allow}.`)
  const host = /^https?:\/\/([a-z0-9.-]{1,253}(?::\d{1,5})?)(?:[/?#][^\\\s@\p{Cc}]*)?$/iu.exec(url)?.[1]?.toLowerCase()
  if (host === undefined) throw forbid('is an address of a form that servers read differently; write https://host/path.')
  const name = host.replace(/:\d+$/, '')
  if (!mediaHosts.includes('*') && !mediaHosts.includes(host) && !mediaHosts.includes(name)) {
    throw forbid(`is on ${name}, from where nothing is fetched; send a data URL, or ${allow}.`)
  }
}

function megabytes (bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024) * 10) / 10
}
