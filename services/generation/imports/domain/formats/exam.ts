/** Rows as exam.ts makes them. */
import { member } from '../../../../../shared/text/member.ts'
import { slicesOf, type Format } from './format.ts'

export const exam: Format = {
  name: 'exam-pdf',
  matches: () => false,
  fields: value => ({
    sourceId: member(value, 'id'),
    question: member(value, 'question'),
    images: member(value, 'images') as unknown[] | undefined ?? [],
    choices: member(value, 'choices'),
    answer: member(value, 'answer'),
    rationale: member(value, 'rationale'),
    slices: slicesOf(value, { subject: 'subject' })
  })
}
