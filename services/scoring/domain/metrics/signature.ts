/** sacreBLEU's `nrefs`: how many references each segment has, "var" where they differ. */
export function referenceNumber (references: readonly number[]): string {
  const first = references[0] ?? 0
  return references.every(count => count === first) ? String(first) : 'var'
}
