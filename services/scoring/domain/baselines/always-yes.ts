import type { BaselineReply, Sight } from './baseline.ts'

/** Says yes to everything: what accuracy is worth on this balance of labels. */
export function alwaysYes ({ question }: Sight): BaselineReply {
  if (question.kind === 'binary') return { reply: 'Answer: Yes' }
  return { skipped: 'baseline/always-yes answers yes/no questions only.' }
}
