/** What a prompt about any place is given: the place itself, the text around it, the picture of a figure. */
import type { Place } from '../plan.ts'
import { briefOf } from './brief.ts'
import { languageName } from './fixed-questions.ts'
import { imageLine } from './figure.ts'
import type { Ask, Material, Room } from './writer.ts'

const what = { abstract: 'abstract', section: 'section', figure: 'figure', table: 'table', equation: 'equation' } as const

export function placeAsk (place: Place, material: Material, room: Room): Omit<Ask, 'count'> {
  const { document, vision } = material
  const { title, abstract, target, text, leftOut } = briefOf(place, material, room)
  const pictured = place.aspect === 'figure'
  const shown = pictured && vision
  const home = pictured ? document.figures : place.aspect === 'table' ? document.tables : []
  const sectionId = place.aspect === 'section' ? place.id : home.find(({ id }) => id === place.id)?.sectionId
  const section = document.sections.find(({ id }) => id === sectionId)
  return {
    values: {
      title,
      abstract,
      what: what[place.aspect],
      target,
      text,
      image: pictured ? imageLine(vision) : 'No image goes with it.',
      language: languageName(material.language)
    },
    figureIds: shown ? [place.id] : [],
    leftOut,
    slices: {
      aspect: place.aspect,
      ...pictured && { image: shown ? 'shown' : 'withheld' },
      ...section !== undefined && { sectionKind: section.kind }
    }
  }
}
