/** chrF and chrF++ of sentences against sacreBLEU. */
import { chrfCounts, chrfOf } from '../../../services/scoring/domain/metrics/chrf.ts'
import type { Figure } from '../inference/figure.ts'
import { comparison } from './compare.ts'
import type { Sizes } from './sizes.ts'
import { textPairs } from './texts.ts'

export async function chrf (sizes: Sizes): Promise<Figure[]> {
  // A tenth of the pairs: the reference takes ten times as long as for BLEU.
  const pairs = textPairs({ ...sizes, pairs: Math.ceil(sizes.pairs / 10) })
  const figures: Figure[] = []
  for (const [task, what, wordOrder] of [['chrf', 'chrF', 0], ['chrf++', 'chrF++', 2]] as const) {
    figures.push(await comparison({
      what: `${what} of sentences`,
      task,
      pairs,
      run: pairs => pairs.map(({ prediction, reference }) =>
        chrfOf(chrfCounts({ prediction, references: [reference] }, { wordOrder }), { wordOrder }))
    }))
  }
  return figures
}
