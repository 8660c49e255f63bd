/** What reviewing would ask of models, without asking: for a reviewing, and for a partial-input baseline. */
import { Type, type Static } from 'typebox'
import { CallsCounted, Estimate } from './generation.ts'

const whole = Type.Integer({ minimum: 0 })

export const ReviewEstimate = Type.Object({
  tasks: Type.Integer({ minimum: 0, description: 'Items and pairs to review, or papers where checks alone do; of a baseline, items times models.' }),
  modelCalls: Type.Integer({ minimum: 0, description: 'About: of a reviewing, if each item and pair is rewritten once. least and most are bounds.' }),
  promptTokens: Type.Integer({ ...whole, description: 'Of modelCalls: text by its bytes as it stands in the prompts of the items as made, each image as 1,500.' }),
  completionTokensMax: Type.Integer({ ...whole, description: 'Likewise.' }),
  secondsMax: Estimate.properties.secondsMax,
  least: CallsCounted('Of a reviewing: if every item is good at once, two reviews of each. Of a baseline: if no picture of another figure is found for image-swapped.'),
  most: CallsCounted('Of a reviewing: if each is rewritten in every one of maxRounds, shortened, and every reply unusable but the last, with a repair turn. Of a baseline: each item under each condition, in each order, by each model that can be shown it; what fails is asked again and not counted.')
}, { $id: 'ReviewEstimate', additionalProperties: false })
export type ReviewEstimate = Static<typeof ReviewEstimate>
