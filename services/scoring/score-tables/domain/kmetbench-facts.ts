/** What is known of K-MetBench's data, and its leaderboard's rows do not say. */
import type { TableSlice } from '../../../../shared/contracts/score-table.ts'

/** Items of each slice: of a model that was asked all, and of one that was asked those without images. */
export interface SliceSizes {
  all: Readonly<Record<TableSlice, number>>
  textOnly: Readonly<Record<TableSlice, number>>
  /** Items with a reference rationale, which is what a judge can be given. */
  judged: { all: number, textOnly: number }
}

export const kmetbenchSizes: SliceSizes = {
  all: {
    all: 1774,
    text: 1692,
    multimodal: 82,
    korean: 73,
    part1: 373,
    part2: 332,
    part3: 359,
    part4: 376,
    part5: 334
  },
  textOnly: {
    all: 1692,
    text: 1692,
    multimodal: 0,
    korean: 71,
    part1: 364,
    part2: 318,
    part3: 340,
    part4: 363,
    part5: 307
  },
  judged: { all: 141, textOnly: 121 }
}

/** A correction of answers after which earlier rows would have had to be scored again. */
export const kmetbenchRepair = { version: 'v1.1.0', day: '2026-04-20', items: 2 }

/** Of a judge's total: four scores from 1 to 5. */
export const judgeScale = { lowest: 4, highest: 20 }

/** Within so many percentage points a published percentage is the share that counts make it. */
export const percentNear = 1e-6
