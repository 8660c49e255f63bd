/** What the numbers of a report mean, in plain words: only those that occur in it. */
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import { metricName } from './numbers.ts'

export interface Meaning { term: string, meaning: string }

/** What an entry is chosen by. */
interface Seen {
  metrics: ReadonlySet<string>
  methods: readonly string[]
  /** Of the reference implementation, as the signature names it; empty where it names none. */
  versionOf: (metric: string) => string
}

interface Entry { term: string, when: (seen: Seen) => boolean, say: (seen: Seen) => string }

const metricIs = (pattern: RegExp) => ({ metrics }: Seen) => [...metrics].some(metric => pattern.test(metric))
const methodIs = (pattern: RegExp) => ({ methods }: Seen) => methods.some(method => pattern.test(method))

const entries: readonly Entry[] = [
  { term: 'n', when: () => true, say: () => 'The items (for pair accuracy: the pairs) behind a number. Where an exact or Wilson interval rests on fewer units, those (papers or independent items) stand beside it.' },
  { term: 'Accuracy', when: metricIs(/^accuracy$/), say: () => 'Share of items with the right choice, the reply read leniently; unparsable, refused and truncated replies count as wrong.' },
  { term: 'Accuracy, strict', when: metricIs(/^accuracy\.strict$/), say: () => 'The same, but a reply that misses the format asked for counts as wrong.' },
  { term: 'Strict − lenient', when: metricIs(/^accuracy\.strict-minus-lenient$/), say: () => 'Strict minus lenient accuracy, item by item: what reading strictly costs.' },
  { term: 'Answered only', when: metricIs(/\.answered$|^(?:mcc|yesRatio|lengthRatio)$/), say: () => 'Over the items with a readable answer alone: a model that answers only what it finds easy looks better here.' },
  { term: 'If errors …', when: metricIs(/\.(?:lowest|highest)$/), say: () => 'What the number would be if every item that ended in error had got nothing, and if every one had got all.' },
  { term: 'Response rate', when: metricIs(/^responseRate$/), say: () => 'Share of the counted items that ended in an answer, and not unparsable, refused or truncated.' },
  { term: 'Format adherence', when: metricIs(/^formatAdherence$/), say: () => 'Share of the counted items whose reply has the format asked for, right or wrong.' },
  { term: 'Pair accuracy', when: metricIs(/^pairAccuracy$/), say: () => 'Share of minimal pairs (two questions that differ in one detail, one true and one false) with both right: always saying Yes gets 0 %, tossing a coin 25 % on average.' },
  { term: 'MCC', when: metricIs(/^mcc$/), say: () => 'Matthews correlation of answers and truth: 1 always right, 0 no better than chance, −1 always wrong; undefined where only one label was answered or is ever right.' },
  { term: 'Yes ratio', when: metricIs(/^yesRatio$/), say: () => 'Share of Yes among the answers; compare it with the share of items that are true, which is half in minimal pairs.' },
  { term: 'ROUGE-1, -2, -L F', when: metricIs(/^rouge[12L]\.fmeasure$/), say: ({ versionOf }) => `Overlap with the reference, 0 to 1, in single words (1), in word pairs (2), or in the longest run of words that both have in the same order, gaps allowed (L); F is the harmonic mean of precision and recall.${says('rouge', versionOf('rougeL.fmeasure'))}` },
  { term: 'BLEU', when: metricIs(/^bleu\./), say: ({ versionOf }) => `Share of the reply's sequences of one to four words that the reference has, with a penalty for short replies, 0 to 100. Sentence mean: each reply is scored, then the mean taken; corpus: all replies are scored as one text.${says('bleu', versionOf('bleu.corpus') || versionOf('bleu.sentence'))}` },
  { term: 'Length ratio', when: metricIs(/^lengthRatio$/), say: () => 'Tokens of the reply over tokens of the reference, mean: above 1 the replies are longer. Overlap depends on it.' },
  { term: 'Number recall', when: metricIs(/^numberRecall$/), say: () => 'Share of the reference\'s distinct numbers that the reply has, over the references that have one.' },
  { term: 'Term recall', when: metricIs(/^termRecall$/), say: () => 'Share of the reference\'s distinct terms (words that are no stop words) that the reply has.' },
  { term: 'Floor', when: metricIs(/\.floor$/), say: () => 'What the reference of another place of the same paper would get: a score near it shows little more than that the reply uses the paper\'s words.' },
  { term: 'Ceiling', when: metricIs(/\.ceiling$/), say: () => 'What a second reference would get, the answer of another item that asks the same of the same place; none where there is no such item.' },
  { term: 'Interval: CR2 t', when: methodIs(/CR2/), say: () => 'Student\'s t about the mean, with a variance (CR2) that takes the items of one paper as belonging together, and within one paper the two of a minimal pair.' },
  { term: 'Interval: jackknife', when: methodIs(/jackknife/), say: () => 'For numbers that are no mean of items: each paper is left out once, and Student\'s t put about the spread.' },
  { term: 'Interval: Wilson', when: methodIs(/^Wilson/), say: () => 'For a share within one paper: its independent items, a minimal pair as one; it says nothing of other papers.' },
  { term: 'Interval: Clopper–Pearson', when: methodIs(/^Clopper-Pearson/), say: () => 'Exact, for numbers that are the same in every paper (or item), where no spread can be seen: its n is the number of papers (within one paper, of independent items), so that 100 % of many items in few papers has a wide interval.' }
]

const implementations: Record<string, string> = { rouge: 'rouge_score (google-research)', bleu: 'sacreBLEU' }

function says (measure: string, version: string): string {
  if (version === '') return ''
  return ` Made to give the numbers of ${implementations[measure]}, version ${version.replace(/^rouge_score-/, '')}.`
}

/** The words of a report's numbers, in the order of its tables. */
export function meaningsOf (report: Report): Meaning[] {
  const scores = scoresOf(report)
  const signatures = new Map(scores.map(({ metric, signature }) => [metric, signature]))
  const seen: Seen = {
    metrics: new Set(signatures.keys()),
    methods: [...new Set(scores.flatMap(({ interval }) => interval === null ? [] : [interval.method]))],
    versionOf: metric => /(?:^|\|)version:([^|]*)/.exec(signatures.get(metric) ?? '')?.[1] ?? ''
  }
  return entries.filter(({ when }) => when(seen)).map(({ term, say }) => ({ term, meaning: say(seen) }))
}

export interface IntervalUse { method: string, note: string, metrics: string[] }

/** Ways in which intervals were made, with what they were made for; sizes are given as a range. */
export function intervalUses (report: Report): IntervalUse[] {
  const uses = new Map<string, { method: string, note: string, sizes: Set<number>, metrics: Set<string> }>()
  for (const { metric, interval } of scoresOf(report)) {
    if (interval === null) continue
    const size = /\d+/.exec(interval.method)?.[0]
    // The size is the first number of a method: "t, 7 df, CR2", "Wilson, n = 9 independent items".
    const method = interval.method.replace(/\d+/, '#')
    const key = JSON.stringify([method, interval.note])
    const use = uses.get(key) ?? { method, note: interval.note, sizes: new Set(), metrics: new Set() }
    if (size !== undefined) use.sizes.add(Number(size))
    use.metrics.add(metric.endsWith('.floor') ? 'floors' : metricName(metric))
    uses.set(key, use)
  }
  return [...uses].sort(([a], [b]) => a < b ? -1 : 1).map(([, { method, note, sizes, metrics }]) => {
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
    return { method: method.replace('#', least === most ? `${least}` : `${least} to ${most}`), note, metrics: [...metrics] }
  })
}

function scoresOf ({ runs }: Report): Score[] {
  return runs.flatMap(({ slices }) => slices.flatMap(({ scores }) => scores))
}
