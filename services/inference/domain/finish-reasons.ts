/** Why choices ended, as servers say it. */

/** Ends that are no end of an answer: the engine stopped in the middle of it. */
const unfinished: readonly unknown[] = ['abort', 'error']

/** Of a whole reply, by choice; none at all unless every choice has one. */
export function wholeFinishReasons ({ choices }: { choices?: unknown }): string[] {
  if (!Array.isArray(choices)) return []
  const reasons = (choices as Array<{ finish_reason?: unknown } | null>).map(choice => choice?.finish_reason)
  // Some gateways send an empty one: that is no end.
  return reasons.every(reason => typeof reason === 'string' && reason !== '') ? reasons as string[] : []
}

/** Whether the engine gave one of them up. */
export function isGivenUp (finishReasons: readonly unknown[]): boolean {
  return finishReasons.some(reason => unfinished.includes(reason))
}
