/** Four ROUGE types at once against rouge_score. */
import { rougeScorer, type RougeType } from '../../../services/scoring/domain/metrics/rouge.ts'
import type { Figure } from '../inference/figure.ts'
import { comparison } from './compare.ts'
import type { Sizes } from './sizes.ts'
import { textPairs } from './texts.ts'

const types: RougeType[] = ['rouge1', 'rouge2', 'rougeL', 'rougeLsum']
const timesMin = 30

export async function rouge (sizes: Sizes): Promise<Figure[]> {
  return await measured(sizes, { what: 'ROUGE-1, -2, -L, -Lsum', task: 'rouge', stemmer: false })
}

export async function rougeStemmed (sizes: Sizes): Promise<Figure[]> {
  return await measured(sizes, { what: 'the same with stems', task: 'rouge-stemmed', stemmer: true })
}

interface Kind { what: string, task: string, stemmer: boolean }

async function measured (sizes: Sizes, { what, task, stemmer }: Kind): Promise<Figure[]> {
  return [await comparison({
    what,
    task,
    pairs: textPairs(sizes),
    timesMin,
    run: pairs => {
      const score = rougeScorer({ types, stemmer })
      return pairs.flatMap(({ prediction, reference }) => {
        const scores = score(prediction, [reference])
        return types.map(type => scores[type]!.fmeasure)
      })
    }
  })]
}
