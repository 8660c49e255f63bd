/** What a report has of a judgement: the part about its own runs, and by whom and how they were judged. */
import { Type, type Static } from 'typebox'
import { JudgementId } from './ids.ts'
import { Judge, Judgement } from './judgement.ts'
import { JudgementSummary } from './judgement-summary.ts'

const closed = { additionalProperties: false }
const { form, rubric, rubricHash, reference, images, repeats, prompts } = Judgement.properties
const { complete, runs, preferences, agreement, notes } = JudgementSummary.properties

export const ReportJudgement = Type.Object({
  judgementId: JudgementId,
  form,
  rubric,
  rubricHash,
  reference,
  images,
  repeats,
  prompts,
  judges: Type.Array(Judge),
  complete,
  otherRuns: Type.Integer({ minimum: 0, description: 'Runs of the judgement that are not in the report: agreement counts them, runs does not.' }),
  runs,
  preferences,
  agreement,
  notes
}, { $id: 'ReportJudgement', ...closed })
export type ReportJudgement = Static<typeof ReportJudgement>
