/** What an item becomes when a rater edits it, and what the checks say of it then. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Edit } from '../../../../shared/contracts/human-review.ts'
import type { Check, Evidence, Item } from '../../../../shared/contracts/item.ts'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import type { FieldError } from '../../../../shared/errors/problem.ts'
import { checkBankItem } from '../../domain/bank/check-bank-item.ts'
import { askingOf, repeatCheck } from '../../domain/bank/repeats.ts'
import { checkItem } from '../../domain/check-item.ts'
import { allDuplicatesAmong } from '../../../../shared/text/duplicates.ts'
import { groundQuote } from './ground-quote.ts'

export interface EditedItem { item: Item, faults: FieldError[] }

/**
 * The item with the edit in place. The checks it was made under are of another text and go; id,
 * kind, place, pair and provenance stay.
 *
 * @param document  null for an item of a bank
 * @returns faults where the edit does not go with the item: a quote that is not in the paper, a
 *          member the kind does not have, the label of a pair without `relabel`, a blank choice
 */
export function editItem (item: Item, edit: Edit, document: Document | null): EditedItem {
  const faults: FieldError[] = []
  const fault = (member: string, detail: string) =>
    faults.push({ pointer: `/body/edit/${member}`, detail })
  const { question, answer, choices, answerIndex, rationale } = edit
  if (answer !== undefined && item.choices !== undefined) fault('answer', 'belongs to descriptive items; this one has choices')
  if (choices !== undefined && choices.length !== item.choices?.length) {
    fault('choices', `must be the ${item.choices?.length ?? 0} texts that the item has`)
  }
  if (choices !== undefined && item.kind === 'binary') fault('choices', 'of a yes/no item are Yes and No')
  const blank = choices?.findIndex((text, at) => text.trim() === '' && item.choices?.[at]?.imageId === undefined) ?? -1
  if (blank >= 0) fault(`choices/${blank}`, 'is blank; only a choice that is an image needs no text')
  if (answerIndex !== undefined && answerIndex >= (item.choices?.length ?? 0)) fault('answerIndex', 'is no index into the choices')
  const relabels = answerIndex !== undefined && answerIndex !== item.answerIndex
  if (relabels && item.pairId !== undefined && edit.relabel !== true) {
    fault('answerIndex', 'changes the label of a member of a pair; say relabel: true if that is meant')
  }
  const evidence = edit.evidence?.flatMap((asked, at): Evidence[] => {
    const grounded = document === null ? undefined : groundQuote(asked, document)
    if (document === null) fault(`evidence/${at}`, 'is quoted from a paper; an item of a bank has none')
    else if (grounded === undefined) fault(`evidence/${at}/quote`, 'does not stand in the paper; copy it from there')
    return grounded ?? []
  })
  const edited: Item = {
    ...item,
    ...question !== undefined && { question },
    ...answer !== undefined && { answer },
    ...choices !== undefined && { choices: choices.map((text, at) => ({ ...item.choices?.[at], text })) },
    ...answerIndex !== undefined && { answerIndex },
    ...rationale !== undefined && { rationale },
    ...evidence !== undefined && { evidence },
    checks: []
  }
  return { item: edited, faults }
}

export interface Surroundings {
  /** Null for an item of a bank. */
  document: Document | null
  /** The other members of its pair. */
  partners: readonly ReviewedItem[]
  /**
   * Items of the paper and kind that a benchmark may take, without the item and its partners; of a bank
   * those that ask exactly the same.
   */
  others: readonly ReviewedItem[]
}

/** `partnersFailed`: item id → the checks that a partner fails once the item is this. */
export interface Rechecked { checks: Check[], partnersFailed: Map<string, string[]> }

/** What a reviewing would say of the item, were it made so: its form, repetition, and its pair. */
export function recheck (item: Item, { document, partners, others }: Surroundings): Rechecked {
  const checks = ownChecks(item, document, partners.map(partner => partner.item))
  if (checks.every(({ passed }) => passed)) {
    checks.push(document === null ? repeatInBank(item, others) : repeatInPaper(item, others))
  }
  const partnersFailed = new Map(partners.map(partner => (
    [partner.item.id, ownFailures(partner, item, document)])))
  const sound = checks.every(({ passed }) => passed)
  const broken = [...partnersFailed].find(([, failed]) => failed.length > 0)
  if (partners.length > 0) {
    checks.push(broken === undefined
      ? { name: 'partner', passed: true, detail: 'Its pair is whole.' }
      : { name: 'partner', passed: false, detail: `Its partner ${broken[0]} failed ${broken[1][0]}.` })
  }
  if (!sound) for (const failed of partnersFailed.values()) failed.push('partner')
  return { checks, partnersFailed }
}

function ownChecks (item: Item, document: Document | null, partners: readonly Item[]): Check[] {
  return document === null ? checkBankItem(item) : checkItem({ item, document, partners })
}

function repeatInPaper (item: Item, others: readonly ReviewedItem[]): Check {
  const twin = others.find(other => repeats(item, other.item))
  return twin === undefined
    ? { name: 'duplicate', passed: true, detail: 'No other item of the paper asks the same.' }
    : { name: 'duplicate', passed: false, detail: `The item ${twin.item.id} asks the same.` }
}

function repeatInBank (item: Item, [twin]: readonly ReviewedItem[]): Check {
  if (twin === undefined) return repeatCheck(undefined)
  const same = askingOf(twin.item).answered === askingOf(item).answered
  return repeatCheck({ otherId: twin.item.id, same })
}

function ownFailures (partner: ReviewedItem, item: Item, document: Document | null): string[] {
  const failed = ownChecks(partner.item, document, [item]).filter(({ passed }) => !passed)
  const repeated = partner.failedChecks.filter(name => name === 'duplicate')
  return [...failed.map(({ name }) => name), ...repeated]
}

function repeats (item: Item, other: Item): boolean {
  return allDuplicatesAmong([[other], [item]]).size > 0
}
