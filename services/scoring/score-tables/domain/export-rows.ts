/** A table in the shape that K-MetBench's leaderboard site reads. */
import type { ScoreTable, ScoreTableRow, TableSlice } from '../../../../shared/contracts/score-table.ts'
import { judgeScale } from './kmetbench-facts.ts'

/**
 * `{source, count, rows}`; what a row lacks is null and never 0. Beside their fields each row has `counts`,
 * `reasoning_n` and `dataset_version`, by which it is read back as it was.
 */
export function kmetbenchRows ({ name, rows }: Pick<ScoreTable, 'name' | 'rows'>): object {
  const [advanced, judged] = ['explicit_advanced', 'explicit_reasoning_evaluation']
  return {
    source: { accuracy_benchmark: advanced, reasoning_benchmark: judged, name },
    count: rows.length,
    rows: rows.map(rowOf)
  }
}

function rowOf ({ model, name, cells, judged, ...row }: ScoreTableRow): object {
  const percents = new Map(cells.map(cell => [cell.slice, cell.percent]))
  const percent = (slice: TableSlice) => percents.get(slice) ?? null
  const sitePercent = judged === null ? null : 100 * judged.mean / judgeScale.highest
  return {
    model_key: model,
    display_model_name: name,
    canonical_model_name: name,
    model_size_b: row.sizeB,
    model_size_label: row.sizeB === null ? null : `${row.sizeB}B`,
    is_proprietary_model: row.proprietary,
    is_korean_model: row.korean,
    is_vision_model: row.vision,
    is_reasoning_model: row.reasoning,
    accuracy_pct: percent('all'),
    reasoning_total: judged?.mean ?? null,
    reasoning_4_20: judged?.mean ?? null,
    reasoning_pct: sitePercent,
    korean_pct: percent('korean'),
    geo_pct: percent('korean'),
    text_pct: percent('text'),
    text_only_pct: percent('text'),
    multimodal_pct: percent('multimodal'),
    part1_pct: percent('part1'),
    part2_pct: percent('part2'),
    part3_pct: percent('part3'),
    part4_pct: percent('part4'),
    part5_pct: percent('part5'),
    timestamps: Object.fromEntries(row.times.map(({ of, at }) => [of, at])),
    dataset_version: row.version,
    reasoning_n: judged?.n ?? null,
    counts: cells.map(({ slice, right, n }) => ({ slice, right, n }))
  }
}
