/** Which versions of prompts a review with a model uses. */
import type { Prompts } from './unit-parts.ts'

/** In ascending name. */
export function promptHashes ({ review, rewrite }: Prompts): Array<{ name: string, hash: string }> {
  return [...Object.values(review), ...Object.values(rewrite)].map(({ name, hash }) => ({ name, hash }))
    .sort((a, b) => a.name < b.name ? -1 : 1)
}
