/** What stands on a benchmark's card: counts, and what a reader must know before quoting a score. */
import type { BenchmarkItem, DataCard } from '../../../shared/contracts/benchmark.ts'
import { clusterOf } from '../../../shared/stats/item-cluster.ts'
import { bankNotes } from './bank/card.ts'
import { artifactPairsMin, artifactTesting, type ArtifactTest, type QuestionPair } from '../../../shared/stats/artifact-test.ts'

export interface CardFacts {
  items: readonly BenchmarkItem[]
  leftOut: ReadonlyMap<string, number>
  /** Items that were generated and that no finished review covers. */
  notReviewed: number
}

/** Stops wherever others may have their turn. */
export function * dataCard ({ items, leftOut, notReviewed }: CardFacts): Generator<void, DataCard> {
  const papers = new Set(items.flatMap(({ source }) => 'paperId' in source ? source.paperId : []))
  const pairs = new Set(items.flatMap(({ pairId }) => pairId ?? []))
  const tested = pairs.size === 0 ? null : yield * artifactTesting(questionPairs(items))
  const dimensions = inOrder(new Set(items.flatMap(({ slices }) => Object.keys(slices))))
  const bySlice: DataCard['bySlice'] = {}
  for (const dimension of dimensions) {
    yield
    const having = items.filter(({ slices }) => Object.hasOwn(slices, dimension))
    bySlice[dimension] = counts(having.map(({ slices }) => slices[dimension]!))
  }
  yield
  return {
    itemCount: items.length,
    pairCount: pairs.size,
    paperCount: papers.size,
    byKind: counts(items.map(({ kind }) => kind)),
    byVerdict: counts(items.map(({ verdict }) => verdict)),
    bySlice,
    leftOut: Object.fromEntries(inOrder(leftOut.keys()).map(reason => [reason, leftOut.get(reason)!])),
    artifactTest: tested,
    notes: [
      ...notesOn(items, { pairCount: pairs.size, notReviewed }),
      ...tested === null ? [] : [artifactNote(tested, pairs.size)]
    ]
  }
}

/** More would hold the service up, and hardly narrow the interval. */
const testedPairsMax = 1000

/** Those to test, in the order in which their first members stand. */
function questionPairs (items: readonly BenchmarkItem[]): QuestionPair[] {
  const members = new Map<string, BenchmarkItem[]>()
  for (const item of items) {
    if (item.pairId === undefined) continue
    const own = members.get(item.pairId)
    if (own === undefined) members.set(item.pairId, [item])
    else own.push(item)
  }
  const pairs = [...members.values()].flatMap(both => {
    const [yes, no] = [0, 1].map(index => both.find(({ answerIndex }) => answerIndex === index))
    if (yes === undefined || no === undefined) return []
    return [{ paper: clusterOf(yes), yes: yes.question, no: no.question }]
  })
  return pairs.slice(0, testedPairsMax)
}

function artifactNote ({ pairs, papers, accuracy, interval, verdict }: ArtifactTest, all: number): string {
  const of = pairs < all ? `the first ${pairs} of ${all} pairs` : `${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`
  const figure = accuracy === null || interval === null
    ? `${of} of ${papers} ${papers === 1 ? 'paper' : 'papers'} give no figure`
    : `in ${of} of ${papers} papers the words alone tell the true member in ${percent(accuracy)} (95 % interval ${percent(interval.low)} to ${percent(interval.high)}; chance is 50 %)`
  const meaning = {
    passed: 'passed',
    failed: 'failed: a model may answer from the wording',
    undetermined: pairs < artifactPairsMin ? `undetermined, as below ${artifactPairsMin} pairs it always is` : 'undetermined'
  }
  return `Annotation-artifact test ${meaning[verdict]}: ${figure}.`
}

function percent (share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** Neither by a model nor by a person. */
export function isUnjudged ({ verdict, decision }: BenchmarkItem): boolean {
  return verdict === 'unreviewed' && decision === undefined
}

function notesOn (
  items: readonly BenchmarkItem[], { pairCount, notReviewed }: { pairCount: number, notReviewed: number }
): string[] {
  const of = `of the ${items.length} items`
  const unjudged = items.filter(isUnjudged).length
  const edited = items.filter(({ edit }) => edit !== undefined).length
  const accepted = items.filter(({ decision, edit }) => decision === 'accepted' && edit === undefined).length
  const rejected = items.filter(({ decision }) => decision === 'rejected').length
  const weak = items.filter(({ verdict }) => verdict !== 'unreviewed' && verdict !== 'good').length
  const extractive = items.filter(({ provenance }) => provenance.strategy === 'extractive').length
  const notes: Array<[boolean, string]> = [
    [unjudged > 0, `${unjudged} ${of} passed mechanical checks only: no model and no person has judged them (verdict unreviewed).`],
    [edited > 0, `${edited} ${of} have a text that a person wrote or changed, which no model has judged (generatorFamily human).`],
    [accepted > 0, `${accepted} ${of} were accepted by a person as they stand, whatever the verdict.`],
    [rejected > 0, `${rejected} ${of} were rejected by a person and are here because that was asked for.`],
    [weak > 0, `${weak} ${of} have a verdict below good.`],
    [pairCount > 0, `The yes/no items are ${pairCount} minimal pairs: exactly half of them are true.`],
    [extractive > 0, `${extractive} ${of} were made by the strategy extractive: their answers are sentences of the paper, so that a method that copies sentences, baseline/extractive above all, does better on them than it understands.`],
    [notReviewed > 0, `${notReviewed} generated items are missing because their reviewing did not complete.`],
    ...bankNotes(items)
  ]
  return notes.filter(([holds]) => holds).map(([, note]) => note)
}

function counts (values: readonly string[]): Record<string, number> {
  const found = new Map<string, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return Object.fromEntries(inOrder(found.keys()).map(value => [value, found.get(value)!]))
}

function inOrder (names: Iterable<string>): string[] {
  return [...names].sort((a, b) => a < b ? -1 : 1)
}
