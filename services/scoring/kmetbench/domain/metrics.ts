/** The metrics of K-MetBench's files: a slice without items is null, where the toolkit writes 0.0. */
import type { ItemMarks } from './item-marks.ts'

const slices: Record<string, (marks: ItemMarks) => boolean> = {
  accuracy: () => true,
  part1: ({ part }) => part === 1,
  part2: ({ part }) => part === 2,
  part3: ({ part }) => part === 3,
  part4: ({ part }) => part === 4,
  part5: ({ part }) => part === 5,
  text: ({ multimodal }) => !multimodal,
  multimodal: ({ multimodal }) => multimodal,
  korean: ({ korean }) => korean,
  non_korean: ({ korean }) => !korean
}

export const metricOrder = Object.keys(slices)

interface Sum { sum: number, n: number }

/** Means by name, added to one at a time. */
export class Means {
  readonly #sums = new Map<string, Sum>()

  add (name: string, value: number): void {
    const own = this.#sums.get(name) ?? { sum: 0, n: 0 }
    this.#sums.set(name, { sum: own.sum + value, n: own.n + 1 })
  }

  /** Right or wrong, in every slice the item belongs to. */
  addAnswer (right: boolean, marks: ItemMarks): void {
    for (const name of metricOrder) if (slices[name]!(marks)) this.add(name, Number(right))
  }

  mean (name: string): number | null {
    const own = this.#sums.get(name)
    return own === undefined ? null : own.sum / own.n
  }

  sumOf (name: string): Sum {
    return this.#sums.get(name) ?? { sum: 0, n: 0 }
  }

  /** Of answers: shares from 0 to 1, with how many there are. */
  answers (): Record<string, number | null> {
    const { sum: correct, n: total } = this.sumOf('accuracy')
    return { ...Object.fromEntries(metricOrder.map(name => [name, this.mean(name)])), total, correct }
  }
}

export const sharesNote = 'Metrics of answers are shares from 0 to 1. A slice without items is null, where the toolkit writes 0.0. inference_time and timestamp are null: files hold no clock.'
