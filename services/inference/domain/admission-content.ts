/** The messages of a chat, part by part. */
import { settingOf, type AdmissionLimits } from './admission-limits.ts'
import { checkMedia, mediaFields } from './admission-media.ts'
import { fault, shown, tooLarge } from './field-fault.ts'
import { isObject } from './json-object.ts'

/** What the messages hold beside text. */
export interface Media { parts: number, image: number, audio: number, video: number }

const textTypes = new Set(['text', 'input_text', 'output_text', 'thinking', 'refusal'])
const rolePattern = /^[A-Za-z][\w-]{0,31}$/

/**
 * @throws Problem with the pointer of the first fault. Unknown fields of messages and parts pass; unknown
 *         types of parts do not: what is in them could not be counted.
 */
export function checkMessages (messages: unknown, limits: AdmissionLimits): Media {
  if (!Array.isArray(messages)) throw fault('/messages', `is a list of messages, not ${shown(messages)}.`)
  if (messages.length === 0) throw fault('/messages', 'holds no message; send at least one.')
  if (messages.length > limits.messagesMax) {
    throw tooLarge('/messages', `holds ${messages.length} messages; the limit is ${limits.messagesMax}.`)
  }
  const media: Media = { parts: 0, image: 0, audio: 0, video: 0 }
  for (let at = 0; at < messages.length; at++) {
    const message: unknown = messages[at]
    if (!isObject(message)) throw fault(`/messages/${at}`, `is a message, not ${shown(message)}.`)
    const { role, content } = message
    // Templates know roles of their own beside system, user, assistant and tool.
    if (typeof role !== 'string' || !rolePattern.test(role)) {
      throw fault(`/messages/${at}/role`, `is a role such as user, not ${shown(role)}.`)
    }
    if (typeof content === 'string') continue
    if (content === undefined || content === null) {
      if (role !== 'assistant') throw fault(`/messages/${at}/content`, 'is missing; only an assistant may say nothing.')
      continue
    }
    if (!Array.isArray(content)) throw fault(`/messages/${at}/content`, `is text or a list of parts, not ${shown(content)}.`)
    checkParts(content, `/messages/${at}/content`, { limits, media })
  }
  return media
}

interface Count { limits: AdmissionLimits, media: Media }

function checkParts (parts: readonly unknown[], pointer: string, count: Count): void {
  const { limits, media } = count
  media.parts += parts.length
  if (media.parts > limits.partsMax) {
    throw tooLarge(pointer, `brings the request over ${limits.partsMax} parts, which is the limit.`)
  }
  for (let at = 0; at < parts.length; at++) {
    const part: unknown = parts[at]
    if (typeof part === 'string') continue
    if (!isObject(part)) throw fault(`${pointer}/${at}`, `is a part of a message, not ${shown(part)}.`)
    checkPart(part, `${pointer}/${at}`, count)
  }
}

function checkPart (part: Record<string, unknown>, pointer: string, { limits, media }: Count): void {
  const { type } = part
  const isText = typeof type === 'string' && textTypes.has(type)
  if (type !== undefined && (typeof type !== 'string' || !(isText || mediaFields.has(type)))) {
    throw fault(`${pointer}/type`, `is text, image_url, input_audio, audio_url or video_url, not ${shown(type)}.`)
  }
  let found = isText
  // Every field that a server may look at, whatever the type says.
  for (const field in part) {
    const kind = mediaFields.get(field)
    if (kind === undefined || part[field] === undefined) continue
    found = true
    media[kind]++
    if (kind === 'image' && media.image > limits.imagesMax) {
      throw tooLarge(pointer, `is one image more than the limit of ${limits.imagesMax} in one request (${settingOf.imagesMax}).`)
    }
    checkMedia({ field, value: part[field], pointer: `${pointer}/${field}` }, limits)
  }
  if (!found) throw fault(pointer, `holds neither text nor ${type === undefined ? 'media' : shown(type)}.`)
  if (isText) {
    const field = type === 'thinking' || type === 'refusal' ? type : 'text'
    if (typeof part[field] !== 'string') throw fault(`${pointer}/${field}`, `is text, not ${shown(part[field])}.`)
  }
  for (const field of refusedParts) {
    if (part[field] !== undefined && part[field] !== null) {
      throw fault(`${pointer}/${field}`, field === 'uuid' ? 'names a picture in the server\'s cache, which all callers share; leave it out.' : 'is a tensor the server would unpickle; send the picture or sound itself.')
    }
  }
}

/** A `uuid` stands for the content in vLLM's cache: two pictures under one name are one to it. */
const refusedParts = ['uuid', 'image_embeds', 'audio_embeds', 'video_embeds', 'prompt_embeds', 'image_pil'] as const
