/** Which of a paper's items have no answer, or rest on a false premise: shares of the recipe, by place. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { isAsked } from '../../../../shared/text/asked-sections.ts'
import type { Place } from '../plan.ts'
import type { ModelRecipe } from '../recipe.ts'
import { shuffled } from '../seeded.ts'

export type Answerability = 'unanswerable' | 'false-premise'

/** What a multiple-choice item is to be; `offered`: answerable, "The paper does not say" is an option. */
export type ChoiceSlot = Answerability | 'offered' | 'plain'

/**
 * Of answerable items, so many have the option for each item whose right answer it is: it is then right
 * in one of four cases, as any of four options is, and its presence tells nothing.
 */
const offeredPerUnanswered = 3

const wanting = (place: Place) => `${place.aspect} ${place.id}`

/** Sections, figures with a picture, tables with cells, and equations. */
export function choicePlaces ({ sections, figures, tables, equations }: Document): Place[] {
  const placed = (aspect: Place['aspect'], all: ReadonlyArray<{ id: string }>) =>
    all.map(({ id }): Place => ({ aspect, id }))
  return [
    ...placed('section', sections.filter(isAsked)),
    ...placed('figure', figures.filter(({ imageId }) => imageId !== null)),
    ...placed('table', tables.filter(({ rows }) => (rows?.length ?? 0) > 1)),
    ...placed('equation', equations)
  ]
}

/** Of each place, what its multiple-choice items are to be; shares are rounded over the paper. */
export function choiceSlots (document: Document, recipe: ModelRecipe): Map<string, ChoiceSlot[]> {
  const { counts: { choicesPerPlace }, seed } = recipe
  const places = choicePlaces(document)
  const all = places.flatMap(place => Array.from({ length: choicesPerPlace }, (_, i) => ({ place, i })))
  const order = shuffled(all, seed, ({ place, i }) => `choice ${document.paperId} ${wanting(place)} ${i}`)
  const { unanswerable, 'false-premise': falsePremise } = sharesOf(all.length, recipe)
  const offered = offeredPerUnanswered * (unanswerable + falsePremise)
  const slots = new Map(places.map((place): [string, ChoiceSlot[]] => [wanting(place), []]))
  for (const [at, { place }] of order.entries()) {
    const rest = at - unanswerable - falsePremise
    const unanswered = at < unanswerable ? 'unanswerable' : 'false-premise'
    slots.get(wanting(place))!.push(rest < 0 ? unanswered : rest < offered ? 'offered' : 'plain')
  }
  return slots
}

/**
 * How many of `all` items have no answer, by kind of that: whole numbers that together are the whole
 * number nearest to both shares, and never more than half.
 */
export function sharesOf (
  all: number, { unanswerableShare, falsePremiseShare }: Pick<ModelRecipe, 'unanswerableShare' | 'falsePremiseShare'>
): Record<Answerability, number> {
  const both = Math.min(Math.round((unanswerableShare + falsePremiseShare) * all), Math.floor(all / 2))
  const unanswerable = Math.min(Math.round(unanswerableShare * all), both)
  return { unanswerable, 'false-premise': both - unanswerable }
}

export function slotsAt (
  place: Place, slots: ReadonlyMap<string, readonly ChoiceSlot[]>
): readonly ChoiceSlot[] {
  return slots.get(wanting(place)) ?? []
}

/**
 * Descriptive items without an answer are asked beside the others, so many that of all they are the
 * share: place → how many, over the places in an order of the seed.
 */
export function descriptiveSlots (
  document: Document, recipe: ModelRecipe, { kind, answerability }: { kind: 'qa' | 'vqa', answerability: Answerability }
): Map<string, number> {
  const { unanswerableShare, falsePremiseShare, counts, seed } = recipe
  const places = descriptivePlaces(document, kind)
  const answered = kind === 'qa'
    ? places.length + (document.abstract === null ? 0 : abstractQuestionCount)
    : places.length * counts.vqaPerFigure
  const count = places.length === 0
    ? 0
    : sharesOf(answered / (1 - unanswerableShare - falsePremiseShare), recipe)[answerability]
  const order = shuffled(places, seed, place => `${answerability} ${document.paperId} ${wanting(place)}`)
  const slots = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const key = wanting(order[i % order.length]!)
    slots.set(key, (slots.get(key) ?? 0) + 1)
  }
  return slots
}

export function countAt (place: Place, slots: ReadonlyMap<string, number>): number {
  return slots.get(wanting(place)) ?? 0
}

const abstractQuestionCount = 3

export function descriptivePlaces ({ sections, figures }: Document, kind: 'qa' | 'vqa'): Place[] {
  return kind === 'qa'
    ? sections.filter(isAsked).map(({ id }): Place => ({ aspect: 'section', id }))
    : figures.filter(({ imageId }) => imageId !== null).map(({ id }): Place => ({ aspect: 'figure', id }))
}
