/** The prompts of judges, read once at start. */
import { loadPrompt, type Prompt } from '../../../shared/prompts/prompt.ts'

export type JudgePrompts = Record<'scores' | 'preferences', Prompt>

/** @throws Error for a file that is missing or is no prompt: they ship with the code */
export async function loadJudgePrompts (): Promise<JudgePrompts> {
  const load = async (name: string) => await loadPrompt(new URL(`../prompts/${name}.md`, import.meta.url))
  return { scores: await load('judge-reply.v1'), preferences: await load('judge-pair.v1') }
}
