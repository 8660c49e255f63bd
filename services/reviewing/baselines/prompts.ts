/** The prompts of partial-input baselines, read once at start. */
import type { ItemKind } from '../../../shared/contracts/item.ts'
import { loadPrompt, type Prompt } from '../../../shared/prompts/prompt.ts'

export type BaselinePrompts = Record<ItemKind, Prompt>

/** @throws Error for a file that is missing or is no prompt: they ship with the code */
export async function loadBaselinePrompts (): Promise<BaselinePrompts> {
  const load = async (name: string) => await loadPrompt(new URL(`../prompts/partial-${name}.v1.md`, import.meta.url))
  const descriptive = await load('descriptive')
  return { qa: descriptive, vqa: descriptive, binary: await load('binary'), choice: await load('choice') }
}

export function promptHashes (prompts: BaselinePrompts): Array<{ name: string, hash: string }> {
  const all = new Map(Object.values(prompts).map(({ name, hash }) => [name, { name, hash }]))
  return [...all.values()].sort((a, b) => a.name < b.name ? -1 : 1)
}
