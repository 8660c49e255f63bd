/** One call of a model about an item: prompt, paper, figures, and where the reply came from. */
import { askForValue, type Asked } from '../../../shared/clients/ask-for-value.ts'
import { denserThan, fillingsMax } from '../../../shared/clients/denser-text.ts'
import type { Item, Provenance } from '../../../shared/contracts/item.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { renderPrompt, type Prompt } from '../../../shared/prompts/prompt.ts'
import { usualBytesPerToken } from '../../../shared/text/content-budget.ts'
import { materialFor, type Material } from '../domain/loop/material.ts'
import { seedFor } from '../domain/loop/seed.ts'
import type { Peers } from '../peers.ts'
import type { UnitParts, UnitWork } from './unit-parts.ts'

export interface ModelAsking {
  prompt: Prompt
  /** Beside those of the paper. */
  values: Record<string, string>
  item: Item
  schema: object
  as: 'model' | 'confirmModel'
  purpose: 'review' | 'confirmatory-review' | 'rewrite' | 'shorten'
  /** What tells this asking from others about the same text: it makes the seed. */
  asking: object
  sampleIndex: number
}

export type ModelAnswer = Pick<Asked<unknown>, 'outcome' | 'value' | 'hasValue' | 'reason'> & { provenance: Provenance }

/** Of everything that reviewing has written by a model; raised when rubric or loop change their meaning. */
const strategyVersion = '1'

/** @throws Problem of the upstream: infrastructure, never a review; budget-exhausted: ask no more */
export async function askModel (
  { peers, imageOf, budgets, timeoutMs }: UnitParts, work: UnitWork, told: ModelAsking
): Promise<ModelAnswer> {
  const { recipe, reviewingId, paper, signal } = work
  const { prompt, values, item, schema, as, purpose, asking, sampleIndex } = told
  const needsPaper = Object.hasOwn(prompt.variables, 'content')
  const material = needsPaper
    ? await fittingMaterial(peers, work, told)
    : { values: {}, shownFigureIds: [], leftOut: [], bytesPerToken: undefined }
  const images: string[] = []
  for (const figureId of material.shownFigureIds) images.push(await imageOf(paper, figureId))
  const call = async () => await askForValue(peers.inference, {
    model: recipe[as],
    prompt,
    values: { ...material.values, ...values },
    images,
    schema,
    sampling: recipe.sampling,
    seed: seedFor(recipe.seed, { itemId: item.id, purpose, ...asking, sampleIndex }),
    labels: { caller: 'reviewing', group: reviewingId, purpose, sampleIndex }
  }, { signal, timeoutMs })
  const asked = recipe.tokensMax === undefined ? await call() : await budgets.under(reviewingId, signal, call)
  if (asked === undefined) throw new Problem('budget-exhausted', `recipe.tokensMax (${recipe.tokensMax}) is spent.`)
  const { provenance, ...answer } = asked
  const { leftOut, bytesPerToken } = material
  return {
    ...answer,
    provenance: {
      strategy: 'model',
      strategyVersion,
      ...provenance,
      ...leftOut.length > 0 && { leftOut },
      ...bytesPerToken !== undefined && { bytesPerToken }
    }
  }
}

const noMaterial = { abstract: '', content: '', figures: '', evidence: '' }

type Fitting = Pick<Material, 'values' | 'shownFigureIds' | 'leftOut'> & { bytesPerToken?: number | undefined }

/** With less text of the paper while the prompt has more tokens than it may, as the model counts them. */
async function fittingMaterial (
  { inference }: Pick<Peers, 'inference'>,
  { recipe, document, vision }: Pick<UnitWork, 'recipe' | 'document' | 'vision'>,
  { prompt, values, item, as }: ModelAsking
): Promise<Fitting> {
  let bytesPerToken: number | undefined
  for (let filling = 1; ; filling++) {
    const material = materialFor(item, document, {
      contextTokens: recipe.contextTokens,
      maxTokens: recipe.sampling.maxTokens,
      otherText: [prompt.template, ...Object.values(values)].join('\n'),
      vision: vision[as],
      bytesPerToken
    })
    const denser = filling === fillingsMax
      ? null
      : await denserThan(inference, {
        model: recipe[as],
        text: renderPrompt(prompt, { ...material.values, ...values }),
        frame: renderPrompt(prompt, { ...noMaterial, ...values }),
        tokensMax: material.countedMax,
        bytesPerToken: bytesPerToken ?? usualBytesPerToken
      })
    if (denser === null) return { ...material, bytesPerToken }
    bytesPerToken = denser
  }
}
