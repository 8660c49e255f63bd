/** Golden cases of difflib, recorded from CPython. */
import { closeMatches, sequenceMatcher, type MatcherOptions, type Sequence } from '../../shared/text/difflib.ts'
import { difference, type Adapter } from './compare.ts'

function matched (a: Sequence, b: Sequence, options: MatcherOptions) {
  const matcher = sequenceMatcher(b, options)
  return {
    ratio: matcher.ratio(a),
    quick_ratio: matcher.quickRatio(a),
    real_quick_ratio: matcher.realQuickRatio(a),
    matching_blocks: matcher.blocks(a).map(({ a, b, size }) => [a, b, size]),
    popular_b: matcher.popular,
    opcodes: matcher.opcodes(a)
  }
}

export const difflibAdapters: Record<string, Adapter> = {
  sequence_matcher: ({ a, b, expected }) => difference({
    autojunk: matched(a as Sequence, b as Sequence, {}),
    no_autojunk: matched(a as Sequence, b as Sequence, { autojunk: false })
  }, expected),
  sequence_matcher_space_junk: ({ a, b, expected }) => difference(
    matched(a as Sequence, b as Sequence, { isJunk: element => element === ' ' }), expected),
  get_close_matches: ({ word, possibilities, n, cutoff, expected }) => {
    const limits = { n: n as number, cutoff: cutoff as number }
    return difference(closeMatches(word as string, possibilities as string[], limits), expected)
  }
}
