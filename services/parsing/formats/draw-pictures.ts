/** The pictures of an outline's figures as PNG. */
import { sha256 } from '../../../shared/contracts/hash.ts'
import type { Image } from '../pool/messages.ts'
import type { PictureOf } from './assemble-outline.ts'
import { toPng, type Picture } from './images.ts'
import type { Outline, OutlineFigure, PictureSource } from './outline.ts'
import type { Read } from './reader.ts'

export interface Drawn { images: Image[], pictureOf: PictureOf }

/** Of each figure the first picture that can be read; figures without any are told of in a warning. */
export async function drawPictures ({ outline, fileOf }: Read): Promise<Drawn> {
  const images = new Map<string, Uint8Array>()
  const drawn = new Map<OutlineFigure, NonNullable<ReturnType<PictureOf>>>()
  const bytesOf = (picture: PictureSource) => 'bytes' in picture ? picture.bytes : fileOf?.(picture.href)
  for (const figure of outline.figures) {
    const picture = await firstReadable(figure.pictures.flatMap(source => bytesOf(source) ?? []))
    if (picture === undefined) continue
    const imageId = sha256(picture.png)
    images.set(imageId, picture.png)
    drawn.set(figure, { imageId, width: picture.width, height: picture.height })
  }
  const without = outline.figures.filter(figure => !drawn.has(figure))
  if (without.length > 0) outline.warnings.push(withoutPicture(without))
  return {
    images: [...images].map(([id, bytes]) => ({ id, bytes })),
    pictureOf: figure => drawn.get(figure)
  }
}

async function firstReadable (candidates: readonly Uint8Array[]): Promise<Picture | undefined> {
  for (const bytes of candidates) {
    const picture = await toPng(bytes)
    if (picture !== undefined) return picture
  }
  return undefined
}

function withoutPicture (figures: readonly OutlineFigure[]): Outline['warnings'][number] {
  const names = figures.slice(0, 20).map(({ label, caption }) => label === '' ? `"${caption.slice(0, 40)}"` : label.replace(/[.:\s]+$/u, ''))
  return { code: 'figures-without-picture', detail: `Of ${figures.length} figures the file has the caption, but no picture that can be read: ${names.join(', ')}. Nothing is asked about them; a PDF of the paper has them.` }
}
