/** Which family a model is of, by its name: relatives may favour each other's texts. */

/**
 * In the order in which they are looked for: a name that holds two, such as a Llama distilled from
 * DeepSeek, is of the one whose texts it learnt from.
 */
const families: ReadonlyArray<[family: string, words: readonly string[]]> = [
  ['deepseek', ['deepseek']],
  ['smollm', ['smollm', 'smolvlm']],
  ['exaone', ['exaone']],
  ['gpt-oss', ['gpt-oss']],
  ['gpt', ['gpt-3', 'gpt-4', 'gpt-5', 'chatgpt', 'gpt3', 'gpt4', 'o1-', 'o3-', 'o4-']],
  ['claude', ['claude']],
  ['gemini', ['gemini']],
  ['gemma', ['gemma', 'paligemma', 'medgemma']],
  ['qwen', ['qwen', 'qwq', 'qvq']],
  ['mistral', ['mistral', 'mixtral', 'ministral', 'magistral', 'pixtral', 'codestral', 'devstral']],
  ['phi', ['phi-', 'phi3', 'phi4']],
  ['grok', ['grok']],
  ['glm', ['glm-', 'chatglm', 'cogvlm']],
  ['internlm', ['internlm', 'internvl', 'intern-s1']],
  ['yi', ['yi-']],
  ['kimi', ['kimi', 'moonlight']],
  ['command', ['command-r', 'command-a', 'c4ai', 'aya-']],
  ['granite', ['granite']],
  ['nemotron', ['nemotron']],
  ['olmo', ['olmo', 'molmo']],
  ['falcon', ['falcon']],
  ['minicpm', ['minicpm']],
  ['hyperclova', ['hyperclova', 'hcx-']],
  ['solar', ['solar-']],
  ['kanana', ['kanana']],
  ['ax', ['a.x-']],
  ['llama', ['llama', 'vicuna', 'alpaca', 'llava']]
]

/** Null where no model took part; "unknown:NAME" for a name that holds no family's. */
export function familyOf (model: string | null): string | null {
  if (model === null) return null
  // Words begin where a letter does not go on: "phi-4" is in "microsoft/phi-4", not in "delphi-4".
  const name = model.toLowerCase()
  const found = families.find(([, words]) => words.some(word => hasWord(name, word)))
  return found?.[0] ?? `unknown:${model}`
}

function hasWord (name: string, word: string): boolean {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z]/.test(name[at - 1]!)) return true
  }
  return false
}
