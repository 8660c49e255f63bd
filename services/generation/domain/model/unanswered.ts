/** What writers of questions that the paper does not answer share: where, how many, in which language. */
import type { Place } from '../plan.ts'
import {
  choicePlaces, choiceSlots, countAt, descriptivePlaces, descriptiveSlots, slotsAt, type Answerability
} from './allotment.ts'
import { unknownWording } from './choice.ts'
import { notSaidIn } from './not-said.ts'
import { placeAsk } from './place-ask.ts'
import type { Ask, Fault, Material, Room, Writer } from './writer.ts'

type Given = Pick<Writer, 'prompt' | 'draftProperties' | 'judge'> & { answerability: Answerability }

/** Of the descriptive items the recipe's share, beside those that have an answer. */
export function descriptiveWriter (kind: 'qa' | 'vqa', { answerability, ...given }: Given): Writer {
  return {
    name: `${kind}-${answerability}`,
    kind,
    ...given,
    placesOf (document, recipe) {
      const slots = descriptiveSlots(document, recipe, { kind, answerability })
      return descriptivePlaces(document, kind).filter(place => countAt(place, slots) > 0)
    },
    asksOf: (place, material, room) => asksFor(place, material, {
      room,
      count: countAt(place, descriptiveSlots(material.document, material.recipe, { kind, answerability }))
    })
  }
}

/** Of the multiple-choice items the recipe's share. */
export function unansweredChoiceWriter ({ answerability, ...given }: Given): Writer {
  return {
    name: `choice-${answerability}`,
    kind: 'choice',
    ...given,
    placesOf (document, recipe) {
      const slots = choiceSlots(document, recipe)
      return choicePlaces(document).filter(place => slotsAt(place, slots).includes(answerability))
    },
    asksOf: (place, material, room) => asksFor(place, material, {
      room,
      count: slotsAt(place, choiceSlots(material.document, material.recipe))
        .filter(slot => slot === answerability).length
    })
  }
}

/** One ask, in a language that has the words for its answer. */
function asksFor (
  place: Place, material: Material, { room, count }: { room: Room, count: number }
): Ask[] | Fault {
  return notSaidIn(material.language) === undefined
    ? unknownWording(material)
    : [{ ...placeAsk(place, material, room), count }]
}
