/** Item response theory: abilities of models and difficulties of items on one scale. */
import { Type } from 'typebox'
import { rasch } from '../../../../shared/stats/rasch.ts'
import {
  assertRectangle, assertSameLength, because, bodyOf, Cluster, clusterNames, contradiction, Defined, DefinedList, statistic,
  valuesMax
} from './statistic.ts'

/** Fewer models say nothing of an item's discrimination: with 20 its error is as large as its spread. */
export const discriminationModelsMin = 200
const answersMax = 200_000
const Answer = Type.Union([Type.Enum([0, 1]), Type.Null()])

const irt = statistic({
  summary: 'Rasch model with guessing: abilities with errors, difficulties integrated out (marginal maximum likelihood)',
  body: bodyOf({
    responses: Type.Array(Type.Array(Answer, { minItems: 1, maxItems: valuesMax }), { minItems: 1, maxItems: 200, description: 'One row for each model: 1 right, 0 wrong, null no answer, by item.' }),
    choices: Type.Optional(Type.Array(Type.Union([Type.Integer({ minimum: 2, maximum: 100 }), Type.Null()]), { minItems: 1, maxItems: valuesMax, description: 'Of each item; a guess is right once in so many times. Null or left out: never.' })),
    cluster: Type.Optional(Cluster),
    hierarchical: Type.Boolean({ default: false, description: 'Abilities too come from a normal distribution.' }),
    discrimination: Type.Boolean({ default: false })
  }, { responses: [[1, 1, 0, 1], [0, 1, 0, 0], [1, 0, 0, 1]], choices: [4, 4, 4, 4], hierarchical: true }),
  answer: {
    ability: DefinedList,
    ability_se: DefinedList,
    difficulty: DefinedList,
    difficulty_sd: DefinedList,
    difficulty_spread: Defined,
    ability_spread: Defined,
    log_likelihood: Defined,
    discrimination: Type.Null(),
    discrimination_reason: Type.String(),
    converged: Type.Boolean()
  },
  isHeavy: () => true,
  compute ({ responses, choices, cluster, hierarchical, discrimination }) {
    assertRectangle('responses', responses)
    const items = responses[0]!.length
    if (responses.length * items > answersMax) throw contradiction('/responses', `More than ${answersMax} answers: send fewer items.`)
    if (choices !== undefined) assertSameLength({ 'responses/0': responses[0]!, choices })
    if (cluster !== undefined) assertSameLength({ 'responses/0': responses[0]!, cluster })
    const refused = refusal(discrimination, responses.length)
    const found = rasch(responses, {
      hierarchical,
      ...choices !== undefined && { guessing: choices.map(count => count === null ? 0 : 1 / count) },
      ...cluster !== undefined && { cluster: clusterNames(cluster) }
    })
    if ('reason' in found) {
      const none = responses.map(() => NaN)
      return { ability: none, ability_se: none, difficulty: responses[0]!.map(() => NaN), difficulty_sd: responses[0]!.map(() => NaN), difficulty_spread: NaN, ability_spread: NaN, log_likelihood: NaN, ...refused, converged: false, ...found }
    }
    const { abilities, errors, difficulties, difficultyErrors, spread, abilitySpread, logLikelihood, converged } = found
    const reasons = [
      abilities.includes(null) && 'Where all answers are right, or no more than guesses, an ability has no bound; hierarchical gives one.',
      errors.some(Number.isNaN) && 'The information is not positive definite, or there is one paper: no errors.',
      !hierarchical && 'Without hierarchical, abilities are estimated one by one and have no spread.'
    ]
    return {
      ability: abilities,
      ability_se: errors,
      difficulty: difficulties,
      difficulty_sd: difficultyErrors,
      difficulty_spread: spread,
      ability_spread: abilitySpread,
      log_likelihood: logLikelihood,
      ...refused,
      converged,
      ...because(reasons.find(reason => reason !== false))
    }
  }
})

function refusal (asked: boolean, models: number) {
  const reason = !asked
    ? 'It was not asked for: all items tell models apart alike.'
    : `Discrimination is not estimated: ${models} models say too little of single items (about ${discriminationModelsMin} would be needed), and this service fits no such model. Rank items by the miskey test instead.`
  return { discrimination: null, discrimination_reason: reason }
}

export const abilities = { rasch: irt }
