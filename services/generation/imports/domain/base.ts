/** What the numbers of a bank count from: declared, told by the numbers, or not known. Never guessed. */
import type { BankImport } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Base, BaseEvidence } from './answers.ts'

export interface Resolved { base: Base, by: BankImport['answerBaseBy'] }

/**
 * @param declared of the options
 * @param ofFormat of the published format that the caller declared
 * @throws Problem answer-base-unclear
 */
export function baseOf (
  evidence: BaseEvidence, declared: 0 | 1 | undefined, ofFormat: 0 | 1 | undefined
): Resolved {
  const { numbers, zeros, tops } = evidence
  if (declared !== undefined) return { base: declared, by: 'declared' }
  if (zeros > 0 && tops > 0) return { base: 'mixed', by: 'mixed' }
  if (zeros > 0) return { base: 0, by: 'detected' }
  if (tops > 0) return { base: 1, by: 'detected' }
  if (numbers === 0) return { base: null, by: 'none' }
  if (ofFormat !== undefined) return { base: ofFormat, by: 'format' }
  throw new Problem('answer-base-unclear', `${numbers} answers are numbers; none is 0 and none is as high as the number of options, so they may count from 0 or from 1. Import the file again with options.answerBase 0 or 1.`, {
    errors: [{ pointer: '/options/answerBase', detail: 'must be declared for this file' }]
  })
}
