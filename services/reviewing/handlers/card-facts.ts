/** What of a data card is found out by asking: agreement of people, diversity of items. */
import { setImmediate } from 'node:timers/promises'
import type { CardAgreement } from '../../../shared/contracts/agreement.ts'
import type { BenchmarkItem, DataCard, Method } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { paperDiversity, type PaperDiversity } from '../../../shared/text/diversity/compare.ts'
import { groundOf } from '../../../shared/text/diversity/ground.ts'
import { subjectOf, type Subject } from '../../../shared/text/diversity/subject.ts'
import { diversityOver } from '../../../shared/text/diversity/summary.ts'
import { unitsOf } from '../../../shared/text/duplicates.ts'
import type { Peers } from '../peers.ts'

/** Undefined: more was said than agreement is computed over. */
export type AgreementsOf = (reviewingId: string) => Promise<CardAgreement[] | undefined>

/** `agreement`: null where no two people said something of the same item. */
export async function cardAgreement (
  agreementsOf: AgreementsOf, reviewingIds: readonly string[]
): Promise<{ agreement: CardAgreement[] | null, missing: string[] }> {
  const agreement: CardAgreement[] = []
  const missing: string[] = []
  for (const reviewingId of reviewingIds) {
    const found = await agreementsOf(reviewingId)
    if (found === undefined) missing.push(`Agreement of the people who reviewed ${reviewingId} is not on this card: it is computed over fewer items than they reviewed.`)
    else agreement.push(...found)
  }
  return { agreement: agreement.length === 0 ? null : agreement, missing }
}

const subjectsAtOnce = 20

/** Of one paper, a few items at a time, so that others have their turn. */
export async function measured (
  items: readonly BenchmarkItem[], document: Document
): Promise<PaperDiversity> {
  const ground = groundOf(document)
  const subjects: Subject[] = []
  for (const [i, unit] of unitsOf(items).entries()) {
    if (i % subjectsAtOnce === 0) await setImmediate()
    subjects.push(subjectOf(unit, ground))
  }
  await setImmediate()
  return paperDiversity(subjects, ground)
}

/** @throws Problem not-finished while one of the generations is at work again */
export async function cardDiversity (
  { generation }: Pick<Peers, 'generation'>, papers: readonly PaperDiversity[], { generations }: Method
): Promise<NonNullable<DataCard['diversity']>> {
  const selections = []
  for (const { id: generationId } of generations) {
    const { selection } = await generation.getDiversity(generationId)
    if (selection !== null) selections.push({ generationId, ...selection })
  }
  return { ...diversityOver(papers), selections }
}
