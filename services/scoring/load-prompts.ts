/** The prompts that questions are put in, by condition and kind. */
import { loadPrompt } from '../../shared/prompts/prompt.ts'
import type { Prompts } from './domain/messages.ts'

export async function loadPrompts (): Promise<Prompts> {
  const load = async (name: string) => await loadPrompt(new URL(`prompts/${name}.v1.md`, import.meta.url))
  const setOf = async (way: string) => ({
    binary: await load(`answer-binary${way}`),
    choice: await load(`answer-choice${way}`),
    descriptive: await load(`answer-descriptive${way}`)
  })
  return {
    standard: await setOf(''),
    advanced: await setOf('-advanced'),
    reasoning: await setOf('-reasoning'),
    confidence: {
      labelled: await load('state-confidence'), descriptive: await load('state-confidence-descriptive')
    }
  }
}
