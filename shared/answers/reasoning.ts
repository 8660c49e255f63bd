/** Where a reply stops thinking and starts answering. */

const tags = ['think', 'thinking', 'thought', 'reasoning', 'reflection', 'scratchpad']
const names = tags.join('|')
const marks = new RegExp([
  `<(/?)(?:seed:)?(?:${names})>`,
  '\\[(/?)THINK\\]',
  '◁(/?)think▷',
  '<\\|(?:begin|end)_of_thought\\|>',
  '<\\|channel\\|>(?:analysis|commentary|final)[^<]{0,40}<\\|message\\|>'
].join('|'), 'gi')

/** UTF-16 offsets, half-open. */
export type Stretch = readonly [start: number, end: number]

/**
 * The stretches of a reply that are no reasoning, or null if its reasoning never ends: what a
 * model said while it was still thinking is no answer. A closing tag without an opening one (the
 * chat template wrote that) makes everything before it reasoning.
 *
 * @param isText  whether a mark at `at` is a word of the answer that begins at `from`; default: never
 */
export function withoutReasoning (
  reply: string, isText: (from: number, at: number) => boolean = () => false
): Stretch[] | null {
  let kept: Stretch[] = []
  let from = 0
  let depth = 0
  for (const mark of reply.matchAll(marks)) {
    if (depth === 0 && isText(from, mark.index)) continue
    const end = mark.index + mark[0].length
    const closes = mark.slice(1).includes('/') || /\|>final|\|end_of/i.test(mark[0])
    if (!closes) {
      if (depth === 0) kept.push([from, mark.index])
      // A channel opens anew rather than inside another; tags nest.
      depth = mark[0].startsWith('<|channel') ? 1 : depth + 1
      continue
    }
    if (depth === 0) kept = []
    depth = mark[0].startsWith('<|channel') ? 0 : Math.max(0, depth - 1)
    from = end
  }
  if (depth > 0) return null
  return [...kept, [from, reply.length]]
}
