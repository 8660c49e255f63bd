/** What a recipe means once everything it leaves open is decided. */
import {
  strategies, usualSampling, type Counts, type Recipe, type RecipeAsked, type ReviewRecipe, type Sampling
} from '../../../shared/contracts/generation.ts'
import { itemKinds, type ItemKind } from '../../../shared/contracts/item.ts'
import { resolveReviewRecipe } from '../../../shared/contracts/review-recipe.ts'
import { Problem, type FieldError } from '../../../shared/errors/problem.ts'
import { languagesOfFixedQuestions } from './model/fixed-questions.ts'

/** As stored and hashed; `review` is always decided. */
export type Resolved = Recipe & { review: false | ReviewRecipe }

/** A recipe of the strategy `model`, with nothing left open. */
export interface ModelRecipe extends Resolved {
  model: string
  sampling: Sampling
  contentMode: 'full' | 'sections' | 'semantic'
  contextTokens: number
  counts: Required<Omit<Counts, 'itemsPerPaper'>> & Counts
  samplesMax: number
  unanswerableShare: number
  falsePremiseShare: number
}

const usual = {
  contentMode: 'sections',
  contextTokens: 8192,
  samplesMax: 3,
  unanswerableShare: 0,
  falsePremiseShare: 0
} as const
const usualCounts = { vqaPerFigure: 3, pairsPerFigure: 2, choicesPerPlace: 1 }
const usualPairsPerFigureMax = 3
/** What each strategy makes, and what of it unless asked. */
const kindsOf: Record<Recipe['strategy'], { usual: ItemKind[], made: readonly ItemKind[] }> = {
  extractive: { usual: ['qa', 'binary'], made: ['qa', 'binary'] },
  tables: { usual: ['binary', 'choice'], made: ['binary', 'choice'] },
  model: { usual: ['qa', 'binary'], made: itemKinds }
}
const unansweredShareMax = 0.5
const ofModels = [
  'model', 'sampling', 'contentMode', 'contextTokens', 'samplesMax', 'unanswerableShare', 'falsePremiseShare',
  'language', 'tokensMax'
] as const
const ofTables = ['release'] as const
const countsOfModels = ['vqaPerFigure', 'pairsPerFigure', 'choicesPerPlace'] as const

/**
 * Two recipes that mean the same are the same afterwards, and so is their id.
 *
 * @throws Problem invalid-request naming every field that does not go with the strategy
 */
export function resolveRecipe (asked: RecipeAsked): Resolved {
  const { strategy, review } = asked
  const strange = strategy === 'tables' ? ofModels : strategy === 'model' ? ofTables : [...ofModels, ...ofTables]
  const errors: FieldError[] = strange.filter(name => asked[name] !== undefined).map(name => (
    { pointer: `/recipe/${name}`, detail: `Only with the strategy ${name === 'release' ? 'tables' : 'model'}; this one is ${strategy}.` }))
  if (strategy !== 'model') {
    for (const name of countsOfModels) {
      if (asked.counts?.[name] !== undefined) errors.push({ pointer: `/recipe/counts/${name}`, detail: `Only with the strategy model; this one is ${strategy}.` })
    }
  }
  if (errors.length > 0) {
    throw new Problem('invalid-request', `Leave out ${errors.map(({ pointer }) => pointer).join(', ')}, or ask for another strategy than ${strategy}.`, { errors })
  }
  const recipe = { ...asked, kinds: kindsFor(asked) }
  // Said now, and not when the items are there.
  if (review !== undefined && review !== false) resolveReviewRecipe(review, '/recipe/review')
  if (strategy === 'model') return modelRecipe(recipe)
  return { pairsPerFigureMax: usualPairsPerFigureMax, ...recipe, review: review ?? { strategy: 'mechanical' } }
}

/** A set, whatever its order. @throws Problem invalid-request naming kinds that the strategy does not make */
function kindsFor ({ strategy, kinds: asked }: RecipeAsked): ItemKind[] {
  const { usual, made } = kindsOf[strategy]
  const kinds = itemKinds.filter(kind => (asked ?? usual).includes(kind))
  const strange = kinds.filter(kind => !made.includes(kind))
  if (strange.length === 0) return kinds
  const others = strategies.filter(other => strange.every(kind => kindsOf[other].made.includes(kind)))
  throw new Problem('invalid-request', `The strategy ${strategy} makes items of the kinds ${made.join(' and ')}: leave ${strange.join(' and ')} out of kinds, or ask for the strategy ${others.join(' or ')}.`, {
    errors: [{ pointer: '/recipe/kinds', detail: `No ${strange.join(', no ')} with the strategy ${strategy}.` }]
  })
}

function modelRecipe ({ pairsPerFigureMax, ...recipe }: Recipe): ModelRecipe {
  const { model, review } = recipe
  if (model === undefined) {
    throw new Problem('invalid-request', 'The strategy model needs a model; GET /v1/models lists those there are.', {
      errors: [{ pointer: '/recipe/model', detail: 'Missing.' }]
    })
  }
  const unanswered = (recipe.unanswerableShare ?? 0) + (recipe.falsePremiseShare ?? 0)
  if (unanswered > unansweredShareMax) {
    throw new Problem('invalid-request', 'At least half of the items must have an answer: let unanswerableShare and falsePremiseShare be at most 0.5 together.', {
      errors: [{ pointer: '/recipe/falsePremiseShare', detail: `Together ${unanswered}.` }]
    })
  }
  const { language, kinds } = recipe
  const counts = { ...usualCounts, ...recipe.counts }
  if (language !== undefined && new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(language) === undefined) {
    throw new Problem('invalid-request', `No language has the code "${language}"; recipe.language is an ISO 639 code such as en or ko.`, {
      errors: [{ pointer: '/recipe/language', detail: 'No ISO 639 code.' }]
    })
  }
  if (language !== undefined && kinds.includes('qa') && !languagesOfFixedQuestions.includes(language)) {
    throw new Problem('invalid-request', `The fixed questions of kind qa are there in ${languagesOfFixedQuestions.join(', ')}; leave qa out for "${language}".`, {
      errors: [{ pointer: '/recipe/language', detail: 'No fixed questions in this language.' }]
    })
  }
  return {
    ...usual,
    ...recipe,
    model,
    sampling: { ...usualSampling, ...recipe.sampling },
    counts: { ...counts, pairsPerFigure: Math.min(counts.pairsPerFigure, pairsPerFigureMax ?? Infinity) },
    review: review ?? { strategy: 'model', model }
  }
}
