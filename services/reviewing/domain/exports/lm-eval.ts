/**
 * Items as tasks of lm-evaluation-harness. Everything a task reads is a bare column: nothing of a
 * paper is ever a template.
 *
 * @see https://github.com/EleutherAI/lm-evaluation-harness/blob/main/docs/task_guide.md
 */
import { stringify } from 'yaml'
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { letteredText, letterOf, questionText, type Asked } from './prompts.ts'
import type { Column, StoredImage } from './table.ts'

export interface TaskRow { asked: Asked, canary: string, leftOut: readonly string[], images: StoredImage[] }

/** A data file, with the tasks that read it. */
export interface TaskSet {
  name: 'closed' | 'open' | 'figures-closed' | 'figures-open'
  shown: boolean
  holds: (item: BenchmarkItem, hasPicture: boolean) => boolean
}

const isClosed = ({ choices, answerIndex }: BenchmarkItem) =>
  choices !== undefined && answerIndex !== undefined

const isOpen = (item: BenchmarkItem) => !isClosed(item) && item.answer !== undefined

/** Items with pictures stand in two: with the pictures withheld, and with them. */
export const taskSets: readonly TaskSet[] = [
  { name: 'closed', shown: false, holds: item => isClosed(item) },
  { name: 'open', shown: false, holds: item => isOpen(item) },
  { name: 'figures-closed', shown: true, holds: (item, hasPicture) => hasPicture && isClosed(item) },
  { name: 'figures-open', shown: true, holds: (item, hasPicture) => hasPicture && isOpen(item) }
]

/** One place for each picture before the text; a paper that has the word itself makes no place. */
function promptOf ({ asked, images }: TaskRow): string {
  const closed = isClosed(asked.item)
  const text = closed ? letteredText(asked) : questionText(asked)
  const ask = closed ? '\n\nAnswer with one letter.\nAnswer:' : '\n\nAnswer in at most 500 characters.\nAnswer:'
  return `${'<image>\n'.repeat(images.length)}${text.replaceAll('<image>', '< image >')}${ask}`
}

const letters = ({ asked: { item } }: TaskRow) => item.choices?.map((_, index) => letterOf(index)) ?? null

export const taskColumns: ReadonlyArray<Column<TaskRow>> = [
  { name: 'id', type: 'string', of: ({ asked }) => asked.item.id },
  { name: 'kind', type: 'string', of: ({ asked }) => asked.item.kind },
  { name: 'prompt', type: 'string', of: promptOf },
  { name: 'letters', type: 'strings', of: letters },
  { name: 'answerIndex', type: 'int', of: ({ asked }) => asked.item.answerIndex ?? null },
  { name: 'letter', type: 'string', of: ({ asked: { item } }) => item.answerIndex === undefined ? null : letterOf(item.answerIndex) },
  { name: 'answer', type: 'string', of: ({ asked }) => asked.item.answer ?? null },
  { name: 'images', type: 'images', of: ({ images }) => images },
  { name: 'leftOut', type: 'strings', of: ({ leftOut }) => leftOut },
  { name: 'canary', type: 'string', of: ({ canary }) => canary }
]

/** No stop but the model's own: an answer may have paragraphs. */
const generation = { until: [], do_sample: false, temperature: 0, max_gen_toks: 1024 }

/** File name → YAML of the tasks that read this set. */
export function taskFiles (set: TaskSet['name'], prefix: string): Array<[name: string, yaml: string]> {
  const common = {
    dataset_path: 'parquet',
    dataset_kwargs: { data_files: { test: `data/${set}.parquet` } },
    test_split: 'test',
    num_fewshot: 0,
    doc_to_text: 'prompt',
    target_delimiter: ' ',
    ...set.startsWith('figures') && { doc_to_image: 'images' },
    metadata: { version: 1 }
  }
  const generated = { ...common, output_type: 'generate_until', generation_kwargs: generation }
  const file = (suffix: string, task: object): [string, string] =>
    [`${prefix}_${suffix}.yaml`, stringify({ task: `${prefix}_${suffix}`, ...task }, { lineWidth: 0 })]
  const short = set.replace('-', '_')
  if (set.endsWith('open')) return [file(`${short}_generate`, { ...generated, doc_to_target: 'answer', metric_list: openMetrics })]
  const twin = file(`${short}_generate`, { ...generated, doc_to_target: 'letter', filter_list: letterFilters, metric_list: [metric('exact_match')] })
  if (set !== 'closed') return [twin]
  const ranked = { ...common, output_type: 'multiple_choice', doc_to_choice: 'letters', doc_to_target: 'answerIndex', metric_list: [metric('acc')] }
  return [file('closed_multiple_choice', ranked), twin]
}

function metric (name: string, aggregation = 'mean') {
  return { metric: name, aggregation, higher_is_better: true }
}

const openMetrics = [metric('bleu', 'bleu'), metric('chrf', 'chrf')]

/** Choices go to T. Strict wants the letter first; flexible takes the last that stands alone. */
const letterFilters = [
  letterFilter('strict', { regex_pattern: '^\\s*(?:Answer:\\s*)?\\(?([A-T])\\)?[.:]?(?:\\s|$)' }),
  letterFilter('flexible', { regex_pattern: '\\b([A-T])\\b', group_select: -1 })
]

function letterFilter (name: string, regex: object) {
  return { name, filter: [{ function: 'regex', ...regex }, { function: 'take_first' }] }
}

/** Data files are found from the folder a run starts in, so the script goes there first. */
export const runScript = `#!/bin/sh
# Runs tasks of this folder: ./run.sh --model hf --model_args pretrained=NAME --tasks TASK
cd "$(dirname "$0")" && exec lm_eval --include_path . "$@"
`
