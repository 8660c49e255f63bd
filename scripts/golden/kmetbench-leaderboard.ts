/** The public leaderboard of K-MetBench: its own sums, what is expected of it, and the published claims. */
import { rankAgreementOf } from '../../services/scoring/domain/analyses/rank-agreement.ts'
import { subDomainsOf } from '../../services/scoring/domain/analyses/sub-domains.ts'
import { difference, type Adapter, type GoldenCase } from './compare.ts'
import { modalityGaps, reasoningOfRows, verdictsOf, type LeaderboardFile, type LeaderboardRow } from './kmetbench-claims.ts'

export function leaderboardCases (given: Record<string, unknown>): GoldenCase[] {
  const file = given as unknown as LeaderboardFile & { expected: Record<string, unknown> }
  return [
    ...file.rows.map(row => ({ id: row.model, group: 'counts', kind: 'leaderboard_counts', row, file })),
    ...Object.entries(file.expected).map(([id, expected]) =>
      ({ id, group: 'expected', kind: 'leaderboard_expected', expected, file })),
    ...file.claims.map(claim => ({ id: claim.claim, group: 'claims', kind: 'leaderboard_claim', claim, file }))
  ]
}

type Column = (row: LeaderboardRow) => number | null

const columns: Record<string, Column> = {
  acc: ({ derived: { correct, n } }) => correct / n,
  reasoning: ({ derived }) => derived.reasoning_sum / derived.reasoning_n,
  geo: ({ derived }) => derived.geo_correct / derived.geo_n,
  text: ({ derived }) => derived.text_correct,
  multi: ({ derived }) => derived.multi_correct
}

/** `acc_vs_geo_55`: two columns over the models of the paper, or over all of them. */
function agreement (id: string, rows: readonly LeaderboardRow[]) {
  const [, x = '', y = '', models] = /^([a-z]+)_vs_([a-z]+)_(\d+)$/.exec(id) ?? []
  const [first, second] = [columns[x], columns[y]]
  if (first === undefined || second === undefined) return undefined
  const some = models === '55' ? rows.filter(row => row.in_paper_table4) : rows
  const benchmark = (name: string, column: Column) => ({
    name, higherIsBetter: true, scores: some.map(row => ({ model: row.model, score: column(row) }))
  })
  const [found] = rankAgreementOf({ benchmarks: [benchmark('x', first), benchmark('y', second)] }).rows
  return {
    n: found!.models, kendall_tau_b: found!.kendallTauB, pearson: found!.pearson, spearman: found!.spearman
  }
}

function expectedOf (id: string, file: LeaderboardFile): unknown {
  const paper = file.rows.filter(row => row.in_paper_table4)
  if (id === 'reasoning_norm_top') {
    const top = reasoningOfRows(paper).rows.reduce((most, row) =>
      Number(row.normalisedFromLowest) > Number(most.normalisedFromLowest) ? row : most)
    return { model: top.model, value: top.normalisedFromLowest }
  }
  if (id.startsWith('modality_gap_')) {
    const { summary } = modalityGaps(file, id.includes('open') ? paper.filter(row => !row.proprietary) : paper)
    const percent = (value: unknown) => 100 * Number(value)
    return {
      mean: percent(summary.meanGap), min: percent(summary.lowestGap), max: percent(summary.highestGap)
    }
  }
  return agreement(id, file.rows)
}

/** The word that the file's own status comes to. */
function wordOf (status: string): string {
  if (/not reproducible|^not reproduced|^consistent with|^contradiction/.test(status)) return 'not reproducible from public data'
  return /NOT reproduced|stray row|but it is not/.test(status) ? 'false' : 'reproduced'
}

export const leaderboardAdapters: Record<string, Adapter> = {
  /** Parts add up to the whole: the sub-domain table refuses them otherwise. */
  leaderboard_counts: golden => {
    const { model, derived, vision } = golden.row as LeaderboardRow
    const values = Object.fromEntries(derived.parts_n.map((n, part) => [`part ${part + 1}`, { right: derived.parts_correct[part]!, n }]))
    const { rows } = subDomainsOf({ dimension: 'part', models: [{ model, values, all: { right: derived.correct, n: derived.n } }] })
    const right = derived.parts_correct.reduce((sum, count) => sum + count, 0)
    return difference({
      right, modalities: derived.text_correct + (derived.multi_correct ?? 0), parts: rows.length
    },
    { right: derived.correct, modalities: derived.correct, parts: 5 }) ?? difference(derived.multi_correct !== null, vision, 'vision')
  },
  leaderboard_expected: golden => difference(
    expectedOf(golden.id, golden.file as LeaderboardFile), golden.expected
  ),
  leaderboard_claim: golden => {
    const { claim, recomputed, status } = golden.claim as LeaderboardFile['claims'][number]
    const verdict = verdictsOf(golden.file as LeaderboardFile).find(({ about }) => claim.includes(about))
    if (verdict === undefined) return 'no verdict on this claim'
    return difference(verdict.recomputed, recomputed, 'recomputed') ?? difference(verdict.word, wordOf(status), 'word')
  }
}
