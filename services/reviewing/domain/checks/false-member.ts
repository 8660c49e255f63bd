/** Of a minimal pair, that the paper says nowhere what the false member says. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { contrastOf, supportFault, type Contrast, type Fault } from '../../../../shared/text/falsity.ts'
import { saidIn } from '../../../../shared/text/said-sentences.ts'
import { oneFactBetween } from '../../../../shared/text/word-changes.ts'
import { fail, pass, type Finding, type Subject } from './finding.ts'

/**
 * Support is looked for in every sentence, caption and table row but those of the evidence. What a model
 * wrote, in generation or in the loop, is held to all that generation asks of a pair: that the true
 * member agrees with its quotes, that these do not hold what the false one puts in, and that nothing
 * in its words tells which one is false. Cells of tables support nothing that was computed from them.
 */
export function falseMemberUnsupported ({ item, document, partners }: Subject): Finding | null {
  const [partner] = partners
  // What is wrong with these, the check `pair` says.
  if (item.kind !== 'binary' || partner?.kind !== 'binary' || partners.length > 1) return null
  if (item.answerIndex === partner.answerIndex) return null
  const [yes, no] = item.answerIndex === 0 ? [item, partner] : [partner, item]
  const isAsMade = yes.checks.length > 0 && no.checks.length > 0
  if (item.provenance.strategy === 'tables' && isAsMade) return null
  const contrast = { yes: yes.question, no: no.question, evidence: item.evidence }
  const fault = item.provenance.strategy === 'model'
    ? faultOfWritten(contrast, item, document)
    : faultOfSaid(contrast, document)
  return fault === undefined
    ? pass('No sentence, caption or table row of the paper supports the false member.')
    : fail(fault.detail)
}

function faultOfWritten (contrast: Contrast, { place }: Item, document: Document): Fault | undefined {
  const { label = '', caption = '' } = [...document.figures, ...document.tables].find(({ id }) => id === place) ?? {}
  const found = contrastOf(contrast, saidIn(document), `${document.title} ${label} ${caption}`)
  return 'reason' in found ? found : undefined
}

function faultOfSaid (contrast: Contrast, document: Document): Fault | undefined {
  const changes = oneFactBetween(contrast.yes, contrast.no)
  return typeof changes === 'string' ? undefined : supportFault(contrast, changes, saidIn(document))
}
