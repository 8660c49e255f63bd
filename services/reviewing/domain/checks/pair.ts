/** A minimal pair says one thing of one fact, once as the paper has it and once not. */
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { oneFactBetween } from '../../../../shared/text/word-changes.ts'
import { fail, pass, type Finding, type Subject } from './finding.ts'

/**
 * Exactly two members, both yes/no, about the same place and figures, on the same evidence, with
 * opposite answers, whose questions differ in exactly one fact: one run of at most six words, or
 * two runs that have changed places ("A exceeds B", "B exceeds A").
 */
export function pairHolds ({ item, partners }: Subject): Finding | null {
  if (item.pairId === undefined) {
    return item.kind === 'binary' ? fail('A yes/no question needs its opposite, and has none.') : null
  }
  const [partner] = partners
  if (partner === undefined || partners.length > 1) {
    return fail(`A pair has two members; this one has ${partners.length + 1}.`)
  }
  if (item.kind !== 'binary' || partner.kind !== 'binary') return fail('Both members must be yes/no questions.')
  if (item.answerIndex === partner.answerIndex) return fail('Both members have the same answer.')
  const asked = ({ place, figureIds }: Item) => canonicalJson({ place, figureIds })
  if (asked(item) !== asked(partner)) {
    return fail('The members ask about different places.')
  }
  if (canonicalJson(item.evidence) !== canonicalJson(partner.evidence)) {
    return fail('The members rest on different evidence.')
  }
  return oneFactApart(item, partner)
}

function oneFactApart (item: Item, partner: Item): Finding {
  const changes = oneFactBetween(item.question, partner.question)
  if (typeof changes === 'string') return fail(changes)
  return pass(`The questions differ in one fact: "${changes[0]?.from}" and "${changes[0]?.to}".`)
}
