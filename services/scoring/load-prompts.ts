/** The prompts that questions are put in, by condition and kind. */
import { loadPrompt } from '../../shared/prompts/prompt.ts'
import type { Prompts, PromptShelf } from './domain/messages.ts'

export async function loadPrompts (): Promise<Prompts> {
  return {
    ...await shelfOf('answer', ''),
    bank: { en: await shelfOf('answer-bank', ''), ko: await shelfOf('answer-bank', '-ko') }
  }
}

/** @param start  of the names of its prompts; `ending` is of their language */
async function shelfOf (start: string, ending: string): Promise<PromptShelf> {
  const load = async (name: string) =>
    await loadPrompt(new URL(`prompts/${name}${ending}.v1.md`, import.meta.url))
  const setOf = async (way: string) => ({
    binary: await load(`${start}-binary${way}`),
    choice: await load(`${start}-choice${way}`),
    descriptive: await load(`${start}-descriptive${way}`)
  })
  return {
    standard: await setOf(''),
    advanced: await setOf('-advanced'),
    reasoning: await setOf('-reasoning'),
    confidence: {
      labelled: await load('state-confidence'), descriptive: await load('state-confidence-descriptive')
    },
    notes: { atOnce: await load('answer-from-notes'), goOn: await load('go-on-from-notes') },
    hint: await load('suggest-answer')
  }
}
