/** Multiple-choice items as rows of K-MetBench's data file. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Pictured } from './prompts.ts'

export interface RowFacts {
  /** From 1, in the benchmark's order. */
  id: number
  canary: string
  pictures: readonly Pictured[]
}

/**
 * Their base text is the explicit wording, where an item has one, and the implicit one beside it; the
 * answer counts from 1, which `answer_base` says. A question has one image there: others are in
 * `more_images`.
 */
export function kmetbenchRow (
  item: BenchmarkItem, { id, canary, pictures }: RowFacts
): Record<string, unknown> {
  const { explicitWording, choices = [], slices, rationale = '', source } = item
  const images = pictures.filter(({ choice }) => choice === null).map(pathOf)
  const imageOf = (at: number) => pathOf(pictures.find(({ choice }) => choice === at))
  const image = images[0] ?? null
  const options = (texts: readonly string[]) => texts.map((text, at) => ({ text, image: imageOf(at) }))
  const written = choices.map(({ text }) => text)
  const part = slices['part'] ?? ''
  return {
    id,
    question: { text: explicitWording?.question ?? item.question, image },
    choices: options(explicitWording?.choices ?? written),
    answer: item.answerIndex! + 1,
    answer_base: 1,
    source: 'bankId' in source ? source.bankId : source.paperId,
    source_id: 'bankId' in source ? String(source.row) : item.place,
    question_original: item.originalQuestion ?? item.question,
    rationale,
    part: /^[1-5]$/.test(part) ? Number(part) : null,
    multimodal: pictures.length > 0,
    korean: slices['korean'] === 'true',
    ...explicitWording !== undefined && {
      question_implicit: { text: item.question, image },
      choices_implicit: options(written)
    },
    ...images.length > 1 && { more_images: images.slice(1) },
    item_id: item.id,
    canary
  }
}

export function pathOf (picture: Pictured | undefined): string | null {
  return picture === undefined || picture.blobId === null ? null : `images/${picture.blobId}.png`
}

export interface Told { rows: number, left: number, otherThanFour: number, fromPapers: number }

/** What the rows do not say themselves. */
export function kmetbenchNotes ({ rows, left, otherThanFour, fromPapers }: Told): string {
  return [
    '## K-MetBench\'s form',
    [
      `\`kmetbench.json\` is a list of ${rows} multiple-choice items; ${left} items of other kinds have no place in it.`,
      'Answers count from 1 (`answer_base`): to read the file elsewhere, say so, for example `answerBase: 1` with `POST /v1/imports`.',
      'Paths of images are relative to this folder: `KMETBENCH_EXPLICIT_DATA_FILE=kmetbench.json KMETBENCH_IMAGE_ROOT=.`.',
      ...otherThanFour === 0 ? [] : [`${otherThanFour} items have another number of options than four, which their toolkit takes to be there.`],
      ...fromPapers === 0 ? [] : [`${fromPapers} items are about papers, whose text is not in the file: asked so, they are asked closed-book.`]
    ].map(line => `- ${line}`).join('\n')
  ].join('\n\n')
}
