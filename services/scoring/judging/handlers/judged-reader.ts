/** Ended judgements, as reports and analyses read them. */
import type { JudgementSummary } from '../../../../shared/contracts/judgement-summary.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { JudgementSpec } from '../domain/spec.ts'
import type { JudgedUnit } from '../domain/summary/judged.ts'
import { judgementReader } from './get-judgement.ts'
import type { JudgementParts } from './parts.ts'
import { getSummary, mustHaveEnded } from './read-ratings.ts'
import { readScores } from './read-rows.ts'

export interface Judged { judgementId: string, spec: JudgementSpec, summary: JudgementSummary }

export interface JudgedUnits { judgementId: string, spec: JudgementSpec, units: JudgedUnit[] }

export interface JudgedReader {
  /** @throws Problem judgement-not-found; not-finished */
  read: (judgementId: string) => Promise<Judged>
  /**
   * Every prediction with its ratings, of the form scores.
   *
   * @throws Problem judgement-not-found; not-finished; conflict for preferences
   */
  readUnits: (judgementId: string) => Promise<JudgedUnits>
}

export function judgedReader (parts: Pick<JudgementParts, 'jobs' | 'judging'>): JudgedReader {
  const { job } = judgementReader(parts)
  return {
    async read (judgementId) {
      const { spec } = await job(judgementId)
      return { judgementId, spec, summary: await getSummary(parts, judgementId) }
    },
    async readUnits (judgementId) {
      const { spec } = await job(judgementId)
      await mustHaveEnded(parts, judgementId)
      if (spec.form !== 'scores') {
        throw new Problem('conflict', `Judgement ${judgementId} is of the form ${spec.form}: it gives no reply a score. Name one of the form scores.`)
      }
      const { units } = await readScores(parts.judging, { judgementId, spec })
      return { judgementId, spec, units }
    }
  }
}
