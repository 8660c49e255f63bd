/** Length of the circumstance a claim opens with, 0 for none. */
export function openingOf (claim: string): number {
  return /^(?:at|after|for|in|under|with|during|before|when|from|on|among|within) [^,]{1,80},/iu.exec(claim)?.[0].length ?? 0
}
