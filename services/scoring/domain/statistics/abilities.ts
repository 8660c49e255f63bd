/** Item response theory: abilities of models and difficulties of items on one scale. */
import { Type } from 'typebox'
import { itemRestCorrelations } from '../../../../shared/stats/item-rest.ts'
import { miskeys } from '../../../../shared/stats/miskey.ts'
import { rasch } from '../../../../shared/stats/rasch.ts'
import {
  assertRectangle, assertSameLength, because, bodyOf, Cluster, clusterNames, contradiction,
  Defined, DefinedList, statistic, valuesMax
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
      return {
        ability: none,
        ability_se: none,
        difficulty: responses[0]!.map(() => NaN),
        difficulty_sd: responses[0]!.map(() => NaN),
        difficulty_spread: NaN,
        ability_spread: NaN,
        log_likelihood: NaN,
        ...refused,
        converged: false,
        ...found
      }
    }
    const {
      abilities,
      errors,
      difficulties,
      difficultyErrors,
      spread,
      abilitySpread,
      logLikelihood,
      converged
    } = found
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

const Option = Type.Integer({ minimum: 0, maximum: 99 })

const miskey = statistic({
  summary: 'Miskeyed items, ranked by how sure it is that models which are right elsewhere agree on another option than the key',
  body: bodyOf({
    answers: Type.Array(Type.Array(Type.Union([Option, Type.Null()]), { minItems: 1, maxItems: valuesMax }), { minItems: 1, maxItems: 200, description: 'One row for each model: the option it chose, by item; null for none.' }),
    key: Type.Array(Option, { minItems: 1, maxItems: valuesMax }),
    choices: Type.Array(Type.Integer({ minimum: 2, maximum: 100 }), { minItems: 1, maxItems: valuesMax, description: 'Of each item.' }),
    prior: Type.Number({ minimum: 0.0001, maximum: 0.5, default: 0.05, description: 'Share of miskeyed items expected.' }),
    list: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Items to list, the most suspicious first.' })
  }, {
    answers: [
      [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 0], [0, 0, 2, 1]
    ],
    key: [0, 1, 0, 3],
    choices: [4, 4, 4, 4],
    list: 2
  }),
  answer: {
    suspects: Type.Array(Type.Object({
      item: Type.Integer(),
      posterior: Defined,
      key: Type.Integer(),
      option: Defined,
      strong_on_option: Defined,
      strong_on_key: Defined,
      point_biserial: Defined
    }), { description: 'strong: of the strongest third of the models, the share that chose it.' }),
    ability: DefinedList
  },
  isHeavy: () => true,
  compute ({ answers, key, choices, prior, list }) {
    assertRectangle('answers', answers)
    assertSameLength({ 'answers/0': answers[0]!, key, choices })
    if (answers.length * key.length > answersMax) throw contradiction('/answers', `More than ${answersMax} answers: send fewer items.`)
    const wrongKey = key.findIndex((option, i) => option >= choices[i]!)
    if (wrongKey >= 0) throw contradiction(`/key/${wrongKey}`, `Options are 0 to ${choices[wrongKey]! - 1}.`)
    for (const [j, row] of answers.entries()) {
      const wrong = row.findIndex((option, i) => option !== null && option >= choices[i]!)
      if (wrong >= 0) throw contradiction(`/answers/${j}/${wrong}`, `Options are 0 to ${choices[wrong]! - 1}: give null for what is none.`)
    }
    const responses = answers.map(row =>
      row.map((option, i) => option === null ? null : option === key[i] ? 1 as const : 0 as const))
    const found = rasch(responses, { hierarchical: true, guessing: choices.map(count => 1 / count) })
    if ('reason' in found) return { suspects: [], ability: answers.map(() => NaN), ...found }
    const abilities = found.abilities.map(ability => ability ?? 0)
    const items = key.map((right, i) =>
      ({ key: right, choices: choices[i]!, answers: answers.map(row => row[i]!) }))
    const ranked = miskeys(items, abilities, { prior, spread: found.spread })
    const correlations = itemRestCorrelations(responses)
    const order = ranked.map((_, i) => i).sort((a, b) => ranked[b]!.posterior - ranked[a]!.posterior || a - b)
    const suspects = order.slice(0, list).map(item => {
      const { posterior, option, strongOnOption, strongOnKey } = ranked[item]!
      return {
        item,
        posterior,
        key: key[item]!,
        option,
        strong_on_option: strongOnOption,
        strong_on_key: strongOnKey,
        point_biserial: correlations[item]!
      }
    })
    return {
      suspects,
      ability: abilities,
      ...because(suspects.some(({ option, point_biserial: r, strong_on_key: strong }) =>
        option === null || r === null || strong === null)
        ? 'Some item has too few answers, or all alike, for some number.'
        : null)
    }
  }
})

export const abilities = {
  rasch: irt,
  miskey
}
