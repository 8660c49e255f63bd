/** What a report calls an item of a bank, and what it shows of it. */
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { letterOf } from '../question.ts'
import type { Placed } from './item-scores.ts'

/** "Weather exam, row 12"; without the name where several banks leave it open. */
export function bankTitle ({ source }: Pick<BenchmarkItem, 'source'>, { card }: Pick<Benchmark, 'card'>): string {
  if ('paperId' in source) return ''
  const { banks = [] } = card
  const named = banks.find(({ importId, contentHash }) => [importId, contentHash].includes(source.bankId))
  const name = named?.name ?? (banks.length === 1 ? banks[0]!.name : 'Item bank')
  return `${name}, row ${source.row}`
}

export function placedInBank (item: BenchmarkItem, benchmark: Pick<Benchmark, 'card'>): Placed {
  return { place: bankTitle(item, benchmark), imageIds: (item.images ?? []).map(({ imageId }) => imageId) }
}

/** The right answer as a reader is shown it; of a choice that is an image its letter. */
export function referenceText ({ answer, choices, answerIndex }: BenchmarkItem): string {
  if (answer !== undefined) return answer
  const choice = choices?.[answerIndex ?? -1]
  if (choice === undefined) return ''
  return choice.text === '' && choice.imageId !== undefined ? `${letterOf(answerIndex!)} (an image)` : choice.text
}
