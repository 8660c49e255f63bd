/**
 * Strings that defeat the extractors of other harnesses, with what a careful person reads; and strings as
 * the K-MetBench toolkit reads them, of models and of judges.
 */
import { judgementAsKmetbench, rationaleAsKmetbench, readAsKmetbench } from '../../shared/answers/kmetbench.ts'
import { readLeniently } from '../../shared/answers/lenient.ts'
import { difference, type Adapter, type GoldenCase } from './compare.ts'

interface ProbeFile { choices: Record<string, string>, rows: { text: string, want: string }[] }

export function probeCases (file: Record<string, unknown>): GoldenCase[] {
  const { choices, rows } = file as unknown as ProbeFile
  return rows.map(({ text, want }, row) => ({
    id: `row-${row + 1} ${JSON.stringify(text)}`,
    group: want === '' ? 'undecided' : 'decided',
    kind: 'lenient_choice',
    text,
    choices: Object.values(choices),
    expected: want === '' ? null : want
  }))
}

interface KmetbenchFile {
  answers: { input: string, upstream_answer: number, upstream_rationale: string }[]
  judge: { input: string, upstream: object }[]
}

export function kmetbenchCases (file: Record<string, unknown>): GoldenCase[] {
  const { answers, judge } = file as unknown as KmetbenchFile
  const caseOf = (group: string, input: string, expected: unknown): GoldenCase =>
    ({ id: JSON.stringify(input), group, kind: `kmetbench_${group}`, input, expected })
  return [
    ...answers.map(({ input, ...expected }) => caseOf('answer', input, expected)),
    ...judge.map(({ input, upstream }) => caseOf('judge', input, upstream))
  ]
}

/** What its questions have. */
const kmetbenchOptions = 4

export const extractionAdapters: Record<string, Adapter> = {
  kmetbench_answer: ({ input, expected }) => {
    const { index } = readAsKmetbench(input as string, kmetbenchOptions)
    return difference({
      upstream_answer: index === null ? -1 : index + 1,
      upstream_rationale: rationaleAsKmetbench(input as string)
    }, expected)
  },
  kmetbench_judge: ({ input, expected }) => {
    const { factualErrors, ...scores } = judgementAsKmetbench(input as string)
    return difference({ ...scores, factual_error: factualErrors }, expected)
  },
  lenient_choice: golden => {
    const choices = golden.choices as string[]
    const { label } = readLeniently(golden.text as string, { kind: 'choice', choices })
    return difference(label, golden.expected)
  }
}
