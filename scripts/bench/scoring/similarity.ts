/** difflib's ratio of all characters against CPython's. */
import { similarityRatio } from '../../../shared/text/difflib.ts'
import type { Figure } from '../inference/figure.ts'
import { comparison } from './compare.ts'
import type { Sizes } from './sizes.ts'
import { textPairs } from './texts.ts'

/** About a question's length. */
const charactersMax = 370

export async function similarity (sizes: Sizes): Promise<Figure[]> {
  const pairs = textPairs({ ...sizes, pairs: Math.ceil(sizes.pairs / 20) }).map(({ prediction, reference }) =>
    ({ prediction: prediction.slice(0, charactersMax), reference: reference.slice(0, charactersMax) }))
  return [await comparison({
    what: `difflib ratio without autojunk, ${charactersMax} characters`,
    task: 'similarity',
    pairs,
    run: pairs => pairs.map(({ prediction, reference }) =>
      similarityRatio(prediction, reference, { autojunk: false }))
  })]
}
