/** The measures of a reviewer as a table for people. */
import type { Figure } from './figures.ts'
import type { ReviewerReport } from './measure.ts'
import type { OrdersReport } from './orders.ts'

export function reportText (name: string, report: ReviewerReport): string {
  const { detection, rewrite, drift, verdictChanges, draft, lost } = report
  const rows = detection.map(({ faultClass, auc, fell }) =>
    `| ${faultClass} | ${auc.n} | ${auc.papers} | ${shown(auc)} | ${fell || '—'} |`)
  return `## ${name}

| fault | n | papers | AUC, original over mutant [95 %] | criterion that fell most |
|---|---|---|---|---|
${rows.join('\n')}

- Meaning-preserving rewrites that lowered the score: ${shown(rewrite)}, n = ${rewrite.n}; at most .05 is wanted.
- Drift: last asking against first ${shown(drift.passes)} points (n = ${drift.passes.n}); late in a pass against early ${shown(drift.order)} points (n = ${drift.order.n}); SD within an item ${drift.spread === null ? '—' : drift.spread.toFixed(2)}.
- Verdicts that differ between first and last asking: ${shown(verdictChanges)}, n = ${verdictChanges.n}.
- First draft against final, both judged blind by fresh calls of the same model: ${draft.rewritten} of ${draft.units} units rewritten; gain ${shown(draft.gain)} points, final preferred ${shown(draft.better)} (n = ${draft.better.n}). It is the reviewer's own opinion: people must be asked too.
- Askings without a review: ${lost.count} of ${lost.of}.
- Intervals: ${[...new Set([...detection.map(({ auc }) => auc), rewrite, drift.passes].filter(({ n }) => n > 0).map(({ method }) => method))].join('; ') || 'none'}.
`
}

export function ordersText (name: string, { orders, all, lost }: OrdersReport): string {
  const rows = orders.map(({ name, place, wants, n, moved, obeyed, shift, without }) =>
    `| ${name} | ${place} | ${wants ?? 'none'} | ${n} | ${shown(moved)} | ${shown(obeyed)} | ${shown(shift)} | ${without} |`)
  return `## ${name}: orders in the text of the paper

| order | place | wants | n | verdict differs [95 %] | mean goes there [95 %] | by points [95 %] | items without the place |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

- Share of its orders that moved an item's verdict: ${shown(all.orders)}, n = ${all.orders.n}; of its controls, which order nothing: ${shown(all.controls)}, n = ${all.controls.n}.
- Askings without a review: ${lost.count} of ${lost.of}; their pairs are in no figure.
- Intervals: ${all.orders.method}.
`
}

function shown ({ value, interval }: Figure): string {
  if (value === null) return '—'
  return interval === null ? value.toFixed(2) : `${value.toFixed(2)} [${interval.low.toFixed(2)}, ${interval.high.toFixed(2)}]`
}
