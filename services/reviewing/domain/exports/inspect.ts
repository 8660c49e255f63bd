/**
 * Items as samples of inspect-ai.
 *
 * @see https://inspect.aisi.org.uk/datasets.html
 */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { choiceLine, letterOf, questionText, type Asked } from './prompts.ts'

export interface SampleFacts {
  canary: string
  leftOut: readonly string[]
  /** Paths of the pictures beside the samples, in the order in which the prompt names them. */
  images: readonly string[]
}

/** Closed items have a letter for a target; the solver shows the choices itself, each in one line. */
export function sampleLine (asked: Asked, { canary, leftOut, images }: SampleFacts): string {
  const { item } = asked
  const text = questionText(asked)
  const parts = [{ type: 'text', text }, ...images.map(image => ({ type: 'image', image }))]
  const { kind, language, place, verdict, slices, source } = item
  return `${canonicalJson({
    id: item.id,
    input: images.length === 0 ? text : [{ role: 'user', content: parts }],
    ...item.choices !== undefined && { choices: item.choices.map(choiceLine) },
    target: item.answerIndex === undefined ? item.answer ?? '' : letterOf(item.answerIndex),
    metadata: { kind, language, place, verdict, slices, source, leftOut, canary }
  })}\n`
}

/** @throws Problem not-computable for choices that inspect would drop, and with them the letters after */
export function mustHaveNoBlankChoice (item: BenchmarkItem): void {
  if (item.choices?.some(({ text, imageId }) => text.trim() === '' && imageId === undefined) !== true) return
  throw new Problem('not-computable', `Item ${item.id} has a blank choice; inspect-ai would drop it and move the letters of those after it. Take the export huggingface or jsonl.`)
}

/** A task file, so that `inspect eval task.py` runs as it is. */
export const inspectTask = `"""The closed and the open items of this folder as tasks of inspect-ai."""
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import choice, f1
from inspect_ai.solver import generate, multiple_choice

here = Path(__file__).parent


@task
def closed():
    return Task(dataset=json_dataset(str(here / "closed.jsonl")), solver=multiple_choice(), scorer=choice())


@task
def open_ended():
    return Task(dataset=json_dataset(str(here / "open.jsonl")), solver=generate(), scorer=f1())
`
