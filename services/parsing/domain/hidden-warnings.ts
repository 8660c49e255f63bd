/** What is hidden on the pages of a paper, as its reviewers are told. */
import type { DocumentWarning } from '../../../shared/contracts/document.ts'
import { bareText } from './clean-text.ts'
import { wordsOnly, type HiddenText } from './hidden-text.ts'

/**
 * A warning for each page and way of hiding, at most 40 a paper. What is cut off at the end of one page
 * and printed on the next is hidden from nobody.
 *
 * @param shown all text that readers see
 */
export function hiddenWarnings (found: readonly HiddenText[], shown: string): DocumentWarning[] {
  const seen = found.length === 0 ? '' : bareText(shown)
  const isShown = ({ text, hiding }: HiddenText) => !wordsOnly.has(hiding) &&
    seen.includes(bareText(text).slice(0, 60)) && bareText(text) !== ''
  return found.filter(hidden => !isShown(hidden)).slice(0, 40).map(({ hiding, text, page }) => ({
    code: 'hidden-text',
    detail: `Left out, because readers of the page cannot see it (${hiding}): "${text}"`,
    page
  }))
}
