/** BLEU of sentences and of a corpus against sacreBLEU. */
import { addBleuCounts, bleuCounts, bleuOf } from '../../../services/scoring/domain/metrics/bleu.ts'
import type { Figure } from '../inference/figure.ts'
import { comparison } from './compare.ts'
import type { Sizes } from './sizes.ts'
import { textPairs } from './texts.ts'

const timesMin = 2

export async function bleu (sizes: Sizes): Promise<Figure[]> {
  const pairs = textPairs(sizes)
  const sentence = { effectiveOrder: true }
  const countsOf = ({ prediction, reference }: typeof pairs[number]) =>
    bleuCounts({ prediction, references: [reference] })
  return [
    await comparison({
      what: 'BLEU of sentences, 13a',
      task: 'bleu-sentence',
      pairs,
      timesMin,
      run: pairs => pairs.map(pair => bleuOf(countsOf(pair), sentence).score)
    }),
    await comparison({
      what: 'BLEU of the corpus, 13a',
      task: 'bleu-corpus',
      pairs,
      timesMin,
      run: pairs => [bleuOf(addBleuCounts(pairs.map(countsOf))).score]
    })
  ]
}
