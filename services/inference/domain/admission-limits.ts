/** How much of what a request may hold. */

export type MediaKind = 'image' | 'audio' | 'video'

export interface AdmissionLimits {
  messagesMax: number
  /** Content parts of all messages together. */
  partsMax: number
  /** Prompts of a completion, or inputs of an embedding, in one request. */
  promptsMax: number
  /** `n`. */
  choicesMax: number
  imagesMax: number
  /** Of one image, as a file. */
  imageBytesMax: number
  /** Width times height of one image, as its header says. */
  imagePixelsMax: number
  /** Taken at all. What audio and video inflate to cannot be told from outside, so they are opt-in. */
  media: readonly MediaKind[]
  /** Hosts a model server may fetch media from; `*` is any, `file:` its own files. Empty: data URLs only. */
  mediaHosts: readonly string[]
}

export const defaultLimits: AdmissionLimits = {
  messagesMax: 1000,
  partsMax: 4096,
  promptsMax: 2048,
  choicesMax: 128,
  imagesMax: 64,
  imageBytesMax: 20 * 1024 * 1024,
  imagePixelsMax: 64_000_000,
  media: ['image'],
  mediaHosts: []
}

/** Names of the settings, for a message that says how to raise a limit. */
export const settingOf = {
  imagesMax: 'INFERENCE_IMAGES_MAX',
  imageBytesMax: 'INFERENCE_IMAGE_MB',
  imagePixelsMax: 'INFERENCE_IMAGE_MEGAPIXELS',
  media: 'INFERENCE_MEDIA',
  mediaHosts: 'INFERENCE_MEDIA_HOSTS'
} as const

interface Settings {
  INFERENCE_IMAGES_MAX: number
  INFERENCE_IMAGE_MB: number
  INFERENCE_IMAGE_MEGAPIXELS: number
  INFERENCE_MEDIA: string
  INFERENCE_MEDIA_HOSTS: string
}

export function limitsFrom (settings: Settings): AdmissionLimits {
  const words = (setting: string) => setting.split(',').map(word => word.trim().toLowerCase()).filter(word => word !== '')
  return {
    ...defaultLimits,
    imagesMax: settings.INFERENCE_IMAGES_MAX,
    imageBytesMax: settings.INFERENCE_IMAGE_MB * 1024 * 1024,
    imagePixelsMax: settings.INFERENCE_IMAGE_MEGAPIXELS * 1_000_000,
    media: words(settings.INFERENCE_MEDIA) as MediaKind[],
    mediaHosts: words(settings.INFERENCE_MEDIA_HOSTS)
  }
}
