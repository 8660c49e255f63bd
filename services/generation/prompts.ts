/** The prompts of all writers, by name. */
import { loadPrompt, type Prompt } from '../../shared/prompts/prompt.ts'
import { promptsOf, writers } from './domain/model/writers.ts'

export async function loadPrompts (): Promise<Map<string, Prompt>> {
  const names = [...new Set(writers.flatMap(promptsOf))]
  return new Map(await Promise.all(names.map(async (name): Promise<[string, Prompt]> =>
    [name, await loadPrompt(new URL(`prompts/${name}.md`, import.meta.url))])))
}
