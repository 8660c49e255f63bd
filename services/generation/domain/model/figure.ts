/** What every prompt about a figure is given; kinds add their own counts and rules. */
import type { Place } from '../plan.ts'
import { briefOf } from './brief.ts'
import { languageName } from './fixed-questions.ts'
import type { Ask, Fault, Material, Room } from './writer.ts'

/** Values: title, abstract, caption, text, image, language. */
export function figureFrame (
  place: Place, material: Material, room: Room
): Pick<Ask, 'values' | 'figureIds' | 'leftOut' | 'slices'> | Fault {
  const { document, vision } = material
  const figure = document.figures.find(({ id }) => id === place.id)
  if (figure === undefined || figure.imageId === null) {
    return { reason: 'no-picture', detail: 'The source of this paper has the caption of this figure, but no picture.' }
  }
  const { title, abstract, target, text, leftOut } = briefOf(place, material, room)
  const section = document.sections.find(({ id }) => id === figure.sectionId)
  return {
    values: {
      title,
      abstract,
      caption: target,
      text,
      image: imageLine(vision),
      language: languageName(material.language)
    },
    figureIds: vision ? [figure.id] : [],
    leftOut,
    slices: {
      aspect: 'figure',
      image: vision ? 'shown' : 'withheld',
      ...section !== undefined && { sectionKind: section.kind }
    }
  }
}

/** What a prompt says of the image; without it everything must follow from the words. */
function imageLine (vision: boolean): string {
  return vision
    ? 'The image of the figure is attached after this text.'
    : 'The image of the figure is not shown to you. Write only what its caption and the text say about it, and nothing that you would have to see.'
}
