/** What each note means for its row. */
import type { RowNote, RowState } from '../../../../shared/contracts/bank.ts'

const repairs = new Set([
  'html-removed', 'control-removed', 'invisible-removed', 'unicode-normalised', 'not-a-number', 'merged-cell',
  'formula-cell', 'image-type-differs', 'explicit-dropped', 'times-dropped', 'slice-cut'
])
const flags = new Set([
  'pii-suspected', 'damaged-text', 'latex-unbalanced', 'latex-command', 'cell-error', 'formula-text', 'active-content',
  'duplicate-id', 'duplicate-choices', 'image-tiny', 'image-placed', 'image-blank',
  'options-uncertain', 'option-runs-on', 'passage-placed', 'picture-uncertain', 'exponent-uncertain'
])

/** Whatever is neither a repair nor a flag keeps a row from being an item. */
export function stateOf (notes: readonly RowNote[]): RowState {
  let state: RowState = 'accepted'
  for (const { code } of notes) {
    if (!repairs.has(code) && !flags.has(code)) return 'rejected'
    if (flags.has(code)) state = 'flagged'
    else if (state === 'accepted') state = 'repaired'
  }
  return state
}

export function isImageDefect ({ code }: RowNote): boolean {
  return code.startsWith('image-')
}
