/** Which items of a bank repeat an earlier one, and which pairs a person has to look at. */
import { sequenceMatcher } from '../../../../../shared/text/difflib.ts'
import { blocksOf, rankedTerms } from './blocking.ts'
import { comparedText, numbered, prepared, samenessOf, type Subject, type Verdict } from './sameness.ts'

export interface DeduplicateOptions {
  ratioMin: number
  autojunk: boolean
  compare: 'question' | 'question-and-choices'
  keep: 'first' | 'last'
}

/** Of one item; `relatedIds`: where it is dropped the one that stays, else at most ten that are like it. */
export interface Finding {
  id: string
  action: 'dropped' | 'flagged'
  reason: string
  detail: string
  relatedIds: string[]
}

export interface Deduplicated {
  findings: Finding[]
  /** Pairs that share enough; of those, not told apart as two questions; of those, at the ratio or above. */
  pairs: { compared: number, near: number, alike: number }
}

const relatedMax = 10
/** Prepared wordings and matchers kept at once, so that memory does not grow with the bank. */
const preparedMax = 4096

/**
 * Items in the order of the bank (`keep: last`: from its end), each against those before it that stay. Of a
 * pair, difflib's `a` is the item that stands earlier in the bank and `b` the later one: the ratio is not
 * symmetric. Only pairs that share two fifths of their terms are compared; what shares less is no repetition
 * whatever its ratio, which letters alone can bring to 0.6.
 *
 * @param kept  ids that stay whatever they repeat
 * @returns     in the order in which they were found; one finding an item at most. Stops after each item, so
 *              that a caller can look whether it is still wanted
 */
export function * deduplicated (
  subjects: readonly Subject[], options: DeduplicateOptions, kept: ReadonlySet<string> = new Set()
): Generator<void, Deduplicated> {
  const { ratioMin, keep, compare } = options
  const texts = subjects.map(subject => comparedText(subject, compare))
  const terms = rankedTerms(texts)
  const blocks = blocksOf(terms, numbered(subjects))
  const ready = recent((at: number) => prepared(subjects[at]!))
  const findings: Finding[] = []
  const pairs = { compared: 0, near: 0, alike: 0 }
  const order = keep === 'first' ? [...subjects.keys()] : [...subjects.keys()].reverse()
  for (const at of order) {
    yield
    const candidates = blocks.candidates(at)
    if (keep === 'last') candidates.reverse()
    pairs.compared += candidates.length
    // Sameness first: it is cheaper than the ratio, and turns nearly every pair down.
    const near = candidates
      .map(other => ({ id: subjects[other]!.id, at: other, verdict: samenessOf(ready(other), ready(at)) }))
      .filter(({ verdict }) => verdict.verdict !== 'apart')
    const isAlike = ratioTest(texts, at, { ratioMin, autojunk: options.autojunk })
    const alike = near.filter(other => isAlike(other.at))
    pairs.near += near.length
    pairs.alike += alike.length
    const { id } = subjects[at]!
    const finding = kept.has(id) ? undefined : findingOf(id, alike)
    if (finding !== undefined) findings.push(finding)
    if (finding?.action !== 'dropped') blocks.add(at)
  }
  return { findings, pairs }
}

/** Whether the ratio with another item reaches the least; exact, its upper bounds first. */
function ratioTest (
  texts: readonly string[], at: number, { ratioMin, autojunk }: Pick<DeduplicateOptions, 'ratioMin' | 'autojunk'>
): (other: number) => boolean {
  const text = texts[at]!
  let own: ReturnType<typeof sequenceMatcher> | undefined
  return other => {
    // A copy is one even where autojunk leaves nothing of it to compare.
    if (texts[other] === text) return true
    // The later one is b, which the matcher is made of.
    const isEarlier = other < at
    if (isEarlier) own ??= sequenceMatcher(text, { autojunk })
    const matcher = isEarlier ? own! : sequenceMatcher(texts[other]!, { autojunk })
    const a = isEarlier ? texts[other]! : text
    return [matcher.realQuickRatio, matcher.quickRatio, matcher.ratio].every(bound => bound(a) >= ratioMin)
  }
}

function findingOf (id: string, alike: ReadonlyArray<{ id: string, verdict: Verdict }>): Finding | undefined {
  const same = alike.find(({ verdict }) => verdict.verdict === 'same')
  if (same?.verdict.verdict === 'same') {
    return { id, action: 'dropped', reason: same.verdict.reason, detail: `It repeats ${same.id}.`, relatedIds: [same.id] }
  }
  const [first] = alike
  if (first?.verdict.verdict !== 'ask') return undefined
  const { reason, detail } = first.verdict
  return { id, action: 'flagged', reason, detail, relatedIds: alike.slice(0, relatedMax).map(other => other.id) }
}

/** Remembers what was made last. */
function recent<T> (make: (at: number) => T): (at: number) => T {
  const made = new Map<number, T>()
  return at => {
    const found = made.get(at) ?? make(at)
    made.delete(at)
    made.set(at, found)
    if (made.size > preparedMax) made.delete(made.keys().next().value!)
    return found
  }
}
