/** The prompts of reviewing, read once at start. */
import { loadPrompt } from '../../shared/prompts/prompt.ts'
import type { Prompts } from './handlers/unit-parts.ts'

/** @throws Error for a file that is missing or is no prompt: they ship with the code */
export async function loadPrompts (): Promise<Prompts> {
  const load = async (name: string, version = 1) =>
    await loadPrompt(new URL(`prompts/${name}.v${version}.md`, import.meta.url))
  return {
    review: {
      descriptive: await load('review-descriptive', 2),
      choice: await load('review-choice', 2),
      binary: await load('review-binary', 2),
      unanswerable: await load('review-unanswerable', 2)
    },
    rewrite: {
      descriptive: await load('rewrite-descriptive'),
      choice: await load('rewrite-choice'),
      pair: await load('rewrite-pair'),
      short: await load('shorten-answer')
    }
  }
}
