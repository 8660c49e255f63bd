/** The scores of one run: everything, then by each dimension, each kind by itself. */
import type { SliceScores } from '../../../shared/contracts/report.ts'
import { itemKinds, type ItemKind } from '../../../shared/contracts/item.ts'
import { isBankCluster } from '../../../shared/stats/item-cluster.ts'
import { outcomes, type Outcome } from '../../../shared/contracts/run.ts'
import { choiceScores } from './choice-scores.ts'
import { abstentionScores, confidenceScores } from './confidence-scores.ts'
import type { Scored, ScoredChoice, ScoredText } from './scored.ts'
import { textScores } from './text-scores.ts'

/** "all" first, then dimensions, values and kinds in code unit order; slices without items are left out. */
export function sliceScores (rows: readonly Scored[]): SliceScores[] {
  return itemKinds.flatMap(kind => {
    const ofKind = byAnswerability(rows.filter(row => row.kind === kind))
    if (ofKind.length === 0) return []
    return [
      scoresOf({ dimension: 'all', value: 'all', kind }, ofKind),
      ...groups(ofKind).map(({ dimension, value, members }) => scoresOf({ dimension, value, kind }, members))
    ]
  })
}

/** A dimension of its own where it differs. */
function byAnswerability (rows: readonly Scored[]): Scored[] {
  if (rows.every(({ answerability }) => answerability === 'answerable')) return [...rows]
  return rows.map(row => ({ ...row, slices: { ...row.slices, answerability: row.answerability } }))
}

interface Group { dimension: string, value: string, members: Scored[] }

/** By every dimension that items of this kind have, and by paper. */
function groups (rows: readonly Scored[]): Group[] {
  const found = new Map<string, Group>()
  for (const row of rows) {
    // Items of a bank are of no paper.
    const papers = isBankCluster(row.cluster) ? {} : { paper: row.cluster }
    for (const [dimension, value] of Object.entries({ ...row.slices, ...papers })) {
      const key = JSON.stringify([dimension, value])
      const group = found.get(key) ?? { dimension, value, members: [] }
      group.members.push(row)
      found.set(key, group)
    }
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, group]) => group)
}

interface Slice { dimension: string, value: string, kind: ItemKind }

function scoresOf (slice: Slice, rows: readonly Scored[]): SliceScores {
  const scores = slice.kind === 'binary' || slice.kind === 'choice'
    ? choiceScores(rows as ScoredChoice[])
    : textScores(rows as ScoredText[])
  return {
    ...slice,
    outcomes: countOutcomes(rows),
    scores: [...scores, ...abstentionScores(rows), ...confidenceScores(rows)]
  }
}

/** Every outcome, those that did not occur as 0. */
export function countOutcomes (rows: ReadonlyArray<{ outcome: Outcome }>): Record<Outcome, number> {
  const counts = Object.fromEntries(outcomes.map(outcome => [outcome, 0])) as Record<Outcome, number>
  for (const { outcome } of rows) counts[outcome]++
  return counts
}
