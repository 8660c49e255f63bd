/** Where an external engine reads a paper otherwise than we do: told, never settled in silence. */
import type { Document } from '../../../../shared/contracts/document.ts'

type Warning = Document['warnings'][number]

export function conflict (detail: string, page?: number): Warning {
  return { code: 'engine-conflict', detail, ...page !== undefined && { page } }
}

/** Empty when the titles are equal but for case, punctuation and spaces. */
export function titleConflict (engine: string, ours: string, theirs: string): Warning[] {
  if (theirs.trim() === '' || bare(ours) === bare(theirs)) return []
  return [conflict(`${engine} reads the title as "${theirs.slice(0, 300)}", we as "${ours.slice(0, 300)}"; ours is kept.`)]
}

/** Empty when the counts differ by no more than a tenth: both count what is hard to count. */
export function countConflict (
  engine: string, what: string, [ours, theirs]: readonly [number, number]
): Warning[] {
  if (Math.abs(ours - theirs) <= Math.max(ours, theirs) / 10) return []
  return [conflict(`${engine} finds ${theirs} ${what}, we ${ours}.`)]
}

/** How many headings stand on lines of their own: others do not see those at the start of a paragraph. */
export function headingsIn (sections: Document['sections']): number {
  return sections.filter(({ title, runIn }) => title !== '' && !runIn).length
}

/** Letters and digits only, in lower case. */
export function bare (text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
