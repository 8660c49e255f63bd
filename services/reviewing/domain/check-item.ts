/** The mechanical checks of one item, in the order in which a person would want to read them. */
import type { Check } from '../../../shared/contracts/item.ts'
import { asMade } from './checks/as-made.ts'
import { choicesFit } from './checks/choices.ts'
import { evidenceHolds } from './checks/evidence.ts'
import { falseMemberUnsupported } from './checks/false-member.ts'
import type { CheckFunction, Subject } from './checks/finding.ts'
import { lengthFits } from './checks/length.ts'
import { numbersAgree } from './checks/numbers.ts'
import { pairHolds } from './checks/pair.ts'
import { placeExists } from './checks/place.ts'
import { colonNotLast, hedgingAbsent, languageConcrete, metaPhrasesAbsent, questionNotRepeated } from './checks/style.ts'

/** Names are public: they stand in reviews, in data cards and in the detail of benchmark-empty. */
const checks: Record<string, CheckFunction> = {
  'as-made': asMade,
  place: placeExists,
  evidence: evidenceHolds,
  'numbers-agree': numbersAgree,
  choices: choicesFit,
  pair: pairHolds,
  'false-member': falseMemberUnsupported,
  length: lengthFits,
  'meta-phrases': metaPhrasesAbsent,
  hedging: hedgingAbsent,
  repetition: questionNotRepeated,
  colon: colonNotLast,
  concrete: languageConcrete
}

/** Those of the checks that have something to say about the item. */
export function checkItem (subject: Subject): Check[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const finding = check(subject)
    return finding === null ? [] : [{ name, ...finding }]
  })
}
