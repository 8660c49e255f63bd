/** The answer of an analysis, and its forms as files. */
import { tableCsv, tableLatex, tableMarkdown } from '../compare/table.ts'
import { analyses, type AnalysisName } from './analyses.ts'
import { analysisTable, type AnalysedRun, type AnalysisAnswer, type AnalysisBody } from './analysis.ts'

/** @param runs  null where the body has a table. @throws Problem for what contradicts itself */
export function answered (
  kind: AnalysisName, body: AnalysisBody, runs: readonly AnalysedRun[] | null
): AnalysisAnswer {
  const found = analyses[kind].compute(body, runs)
  return { kind, ...found, notes: [...found.notes, ...errorNotes(runs ?? [])] }
}

function errorNotes (runs: readonly AnalysedRun[]): string[] {
  const inError = runs.filter(({ rows }) => rows.some(({ outcome }) => outcome === 'error'))
  if (inError.length === 0) return []
  return [`Items that ended in error are in no number, which may favour or harm ${inError.map(({ name }) => name).join(', ')}: retry these runs before ranking by anything here.`]
}

const written = {
  json: (answer: AnalysisAnswer) => `${JSON.stringify(answer, null, 2)}\n`,
  csv: (answer: AnalysisAnswer) => tableCsv(analysisTable(answer)),
  md: (answer: AnalysisAnswer) => tableMarkdown(analysisTable(answer)),
  tex: (answer: AnalysisAnswer) => tableLatex(analysisTable(answer))
}

export type AnalysisForm = keyof typeof written

export function writeAnalysis (answer: AnalysisAnswer, form: AnalysisForm): string {
  return written[form](answer)
}
