/** What is left of a value that the text ends inside of: the complete elements of its outermost list. */
import { pointerStep } from '../field-fault.ts'
import type { CutValue } from './candidates.ts'
import type { Frame } from './reader.ts'

export interface Dropped {
  /** JSON pointer of the element that is incomplete, or that would have come next. */
  pointer: string
  /** Complete elements that are kept. */
  kept: number
}

export interface Salvage {
  value: unknown
  /** Null when nothing but brackets was missing. */
  dropped: Dropped | null
}

/**
 * The value with its brackets closed, when that is all it lacks: the reply ended by itself behind a
 * complete value, and no element of a list is still open (one more member might have been to come).
 */
export function closed ({ stack, clean }: CutValue): Salvage | null {
  const list = stack.findIndex(({ kind }) => kind === 'list')
  if (!clean || (list >= 0 && list < stack.length - 1)) return null
  return { value: joined(stack, stack.length - 1), dropped: null }
}

/**
 * The complete elements of the outermost list: an inner list that was cut belongs to an element that
 * is incomplete as a whole. Null when no list is open.
 */
export function completeElements ({ stack }: CutValue): Salvage | null {
  const at = stack.findIndex(({ kind }) => kind === 'list')
  const list = stack[at]
  if (list?.kind !== 'list') return null
  const path = stack.slice(0, at).map(frame => frame.kind === 'object' ? `/${pointerStep(frame.key ?? '')}` : '').join('')
  return { value: joined(stack, at), dropped: { pointer: `${path}/${list.value.length}`, kept: list.value.length } }
}

/** Puts each open value into the one around it, from the frame `last` outwards. */
function joined (stack: readonly Frame[], last: number): unknown {
  for (let at = last; at > 0; at--) {
    const outer = stack[at - 1]!
    if (outer.kind === 'object' && outer.key !== null) outer.value[outer.key] = stack[at]!.value
    else if (outer.kind === 'list') outer.value.push(stack[at]!.value)
  }
  return stack[0]!.value
}
