/** What a reader must know before believing a number. */
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import type { RunReport } from '../../../../shared/contracts/report.ts'
import type { Condition, Outcome } from '../../../../shared/contracts/run.ts'
import { baselinePrefix } from '../baselines/baselines.ts'
import { kindsOf } from './numbers.ts'
import { differences, runNames } from './run-names.ts'

interface RunFacts {
  model: string
  condition: Condition
  outcomes: Record<Outcome, number>
  items: readonly BenchmarkItem[]
  /** Why items were skipped, and how many for each reason. */
  skipped: Readonly<Record<string, number>>
  /** Of each reply that was asked of a model, whether it shows thinking. */
  thoughts: readonly boolean[]
}

const papersForInference = 5

/** Items made by the sentence ranker that baseline/extractive answers with. */
export function itemsOfOwnMethod (model: string, items: readonly BenchmarkItem[]): number {
  if (model !== `${baselinePrefix}extractive`) return 0
  return items.filter(({ provenance }) => provenance.strategy === 'extractive').length
}

export function runNotes ({ model, condition, outcomes, items, skipped, thoughts }: RunFacts): string[] {
  const notes: string[] = []
  const figureItems = items.filter(hasImages).length
  const ofPapers = items.some(({ source }) => 'paperId' in source)
  const own = itemsOfOwnMethod(model, items)
  if (outcomes.error > 0) {
    notes.push(`${outcomes.error} of ${items.length} items ended in error (infrastructure) and are in no score. Retry the run; until then accuracy, pair accuracy and ROUGE-L of all items are only known to lie between their lowest and highest value (metrics .lowest, .highest).`)
  }
  for (const [reason, count] of Object.entries(skipped).sort(([a], [b]) => a < b ? -1 : 1)) {
    notes.push(`${count} of ${items.length} items were skipped and are in no score: ${reason}`)
  }
  if (condition.figures === 'withheld' && figureItems > 0) {
    notes.push(`Figures were withheld: ${figureItems} items about figures were asked without their image.`)
  }
  notes.push(...changeNotes(condition, figureItems))
  const thoughtless = thoughts.filter(thought => !thought).length
  if (condition.thinking && thoughtless > 0) {
    notes.push(`Thinking was asked for, and ${thoughtless} of ${thoughts.length} replies show none: the model, its template or its server may not know of it, or not tell.`)
  }
  if (!condition.thinking && condition.prompt !== 'reasoning' && thoughtless < thoughts.length) {
    notes.push(`Thinking was not asked for, and ${thoughts.length - thoughtless} of ${thoughts.length} replies show it.`)
  }
  if (ofPapers && condition.contentMode === 'oracle') notes.push('Content mode oracle: the model was shown the evidence of each item, and nothing else of the paper.')
  if (ofPapers && condition.contentMode === 'none') notes.push('Content mode none: the model was shown no text of the paper.')
  if (own > 0) {
    notes.push(`${model} picks sentences by the method that wrote ${own} of ${items.length} items; its scores on them are flattered by that.`)
  }
  if (model.startsWith(baselinePrefix)) {
    notes.push('A baseline reads the place asked about in the paper itself, whatever the content mode; with mode none it is given no text.')
  }
  return notes
}

function hasImages ({ figureIds, images = [], choices = [] }: BenchmarkItem): boolean {
  return figureIds.length + images.length > 0 || choices.some(({ imageId }) => imageId !== undefined)
}

/** Of conditions under which a score is no score of the benchmark. */
function changeNotes (condition: Condition, pictured: number): string[] {
  const { images, sequence, probe, rationale, rationaleFrom, rationaleShare, hint } = condition
  const probes = {
    'no-question': 'the question was not shown: what is above chance comes from the choices alone',
    'no-choices': 'the choices were not shown, only their letters: what is above chance is known by heart, or by place',
    'all-options-correct': 'the right choice stood behind every letter: what is above chance is known by heart, or by place'
  }
  return [
    ...images === 'wrong' ? [`Images wrong: ${pictured} items with images were asked with those of another item in place of the question's own; compare with the same run without it.`] : [],
    ...images === 'described' ? [`Images described: captions stood in place of the images of ${pictured} items.`] : [],
    ...sequence === undefined ? [] : [`Sequence ${sequence}: only items whose images are a sequence were asked, and their order was changed.`],
    ...probe === undefined ? [] : [`Probe ${probe}: ${probes[probe]}.`],
    ...rationale === undefined ? [] : [`Rationale ${rationale}${rationaleShare === undefined ? '' : `, share ${rationaleShare}`}: questions were asked with what the model wrote before its answers in run ${rationaleFrom}; the analysis faithfulness sets such runs against each other.`],
    ...hint === undefined ? [] : [`Hint ${hint}: the prompt said that a colleague thinks ${hint === 'right' ? 'the right' : 'a wrong'} choice right; the analysis faithfulness sets it against the run without.`]
  ]
}

export function reportNotes (benchmark: Benchmark, runs: readonly RunReport[]): string[] {
  const { card } = benchmark
  const notes = [runs.length > 1
    ? 'Runs stand in the order they were asked for. That order, and overlapping or separate intervals, are no ranking.'
    : 'One run; nothing here compares it with another.']
  const inError = runs.filter(({ slices }) => slices.some(({ outcomes }) => (outcomes.error ?? 0) > 0))
  if (inError.length > 0) {
    notes.push(`No ranking and no comparison may be drawn while items end in error: ${[...new Set(inError.map(({ model }) => model))].join(', ')}.`)
  }
  const ofBanks = (card.banks ?? []).length > 0
  if (ofBanks) notes.push('Items of banks are of no paper: each is a cluster of its own in intervals and tests, unless its slice "cluster" names another.')
  const papers = card.paperCount === 1 ? 'this one paper' : `these ${card.paperCount} papers`
  if (card.paperCount > 0 && card.paperCount < papersForInference) {
    notes.push(`All numbers are conditional on ${papers}; they say little about others.`)
  }
  const unreviewed = card.byVerdict.unreviewed ?? 0
  // The data card says so itself, and its notes stand beside these.
  if (unreviewed > 0 && !card.notes.some(note => note.includes('unreviewed'))) {
    notes.push(`${unreviewed} of ${card.itemCount} items are unreviewed: mechanical checks passed, but neither a model nor a person has judged them.`)
  }
  return [...notes, ...paperNotes(benchmark, runs), ...conditionNotes(runs)]
}

const kindWords: Record<ItemKind, string> = {
  binary: 'yes/no items', choice: 'multiple-choice items', qa: 'open items', vqa: 'open items about figures'
}

/** Kinds whose items come from fewer papers than the benchmark has. */
function paperNotes ({ papers }: Benchmark, runs: readonly RunReport[]): string[] {
  const known = new Set(papers.map(({ paperId }) => paperId))
  return kindsOf(runs).flatMap(kind => {
    const sources = new Set(runs.flatMap(({ slices }) => slices
      .filter(slice => slice.kind === kind && slice.dimension === 'paper').map(({ value }) => value)))
    if (sources.size === 0 || sources.size >= known.size) return []
    const rest = sources.size === 1 ? 'their intervals say nothing of other papers' : `their intervals rest on ${sources.size}`
    return [`The ${kindWords[kind]} come from ${sources.size} of the ${known.size} papers: ${rest}.`]
  })
}

function conditionNotes (runs: readonly RunReport[]): string[] {
  const apart = differences(runs)
  const others = apart.filter(name => name !== 'figures')
  const withheld = runs.filter(({ condition }) => condition.figures === 'withheld')
  const shown = runs.length - withheld.length
  return [
    ...apart.includes('figures')
      ? [`Figures were withheld from ${namesOf(withheld, runs).join(', ')} and not from the other ${shown === 1 ? 'run' : `${shown} runs`}: numbers on items about figures do not compare across them.`]
      : [],
    ...others.length > 0 ? [`The runs differ in their conditions (${others.join(', ')}); see each run.`] : []
  ]
}

/** A model's name for all of its runs, else the names of those runs. */
function namesOf (some: readonly RunReport[], runs: readonly RunReport[]): string[] {
  const names = runNames(runs)
  const whole = (model: string) => runs.every(run => run.model !== model || some.includes(run))
  return [...new Set(some.map(run => whole(run.model) ? run.model : names[runs.indexOf(run)]!))]
}
