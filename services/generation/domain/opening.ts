/** Length of the circumstance a claim opens with, 0 for none. */
function openingOf (claim: string): number {
  return /^(?:at|after|for|in|under|with|during|before|when|from|on|among|within) [^,]{1,80},/iu.exec(claim)?.[0].length ?? 0
}

/** Not in the main clause: in the circumstance that opens it, or set into it between commas. */
export function aside (claim: string, { start, end }: { start: number, end: number }): boolean {
  if (start < openingOf(claim)) return true
  const insertion = /, (?:with|showing|having|which|where|while|whereas|despite|given|including|as|an?) [^,]{0,120}$/u
  return insertion.test(claim.slice(0, start)) && claim.slice(end).includes(',')
}
