/** Strings that defeat the extractors of other harnesses, with what a careful person reads. */
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

export const extractionAdapters: Record<string, Adapter> = {
  lenient_choice: golden => {
    const choices = golden.choices as string[]
    const { label } = readLeniently(golden.text as string, { kind: 'choice', choices })
    return difference(label, golden.expected)
  }
}
