/** What an import comes to, counted as its rows come. */
import type { BankImport, ImportRow } from '../../../../shared/contracts/bank.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { limits } from './limits.ts'
import { isImageDefect } from './notes.ts'

export type Counts = Pick<BankImport, 'rowCount' | 'itemCount' | 'rowCounts' | 'noteCounts' | 'imageCount' | 'imageDefectCount' | 'sliceCounts'>

export function noCounts (): Counts {
  return {
    rowCount: 0,
    itemCount: 0,
    rowCounts: { accepted: 0, repaired: 0, flagged: 0, rejected: 0 },
    noteCounts: [],
    imageCount: 0,
    imageDefectCount: 0,
    sliceCounts: []
  }
}

export interface Tally { add: (row: ImportRow, item?: Item) => void, counts: (imageCount: number) => Counts }

export function tally (): Tally {
  const counted = noCounts()
  const notes = new Map<string, number>()
  const slices = new Map<string, number>()
  return {
    add (row, item) {
      counted.rowCount++
      counted.rowCounts[row.state]++
      if (item !== undefined) counted.itemCount++
      if (row.notes.some(isImageDefect)) counted.imageDefectCount++
      const codes = new Set(row.notes.map(({ code }) => code))
      for (const code of codes) notes.set(code, (notes.get(code) ?? 0) + 1)
      for (const pair of Object.entries(item?.slices ?? {})) {
        const key = JSON.stringify(pair)
        slices.set(key, (slices.get(key) ?? 0) + 1)
      }
    },
    counts: imageCount => ({
      ...counted,
      imageCount,
      noteCounts: [...notes].map(([code, rows]) => ({ code, rows })).sort((a, b) => a.code < b.code ? -1 : 1),
      sliceCounts: [...slices].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        .slice(0, limits.sliceValues).sort(([a], [b]) => a < b ? -1 : 1).map(([key, items]) => {
          const [dimension, value] = JSON.parse(key) as [string, string]
          return { dimension, value, items }
        })
    })
  }
}
