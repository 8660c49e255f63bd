/**
 * Prompts are files, `name.vN.md`: front matter says what they are for and what they need,
 * `{{name}}` marks where a value goes. Values are data: they are never expanded again, they cannot
 * close a tag that the prompt opened around them, and they cannot open a turn of the chat.
 */
import { readFile } from 'node:fs/promises'
import { sha256 } from '../contracts/hash.ts'
import { fenceFor } from './fence.ts'

export interface Prompt {
  /** With its version, for example "answer-binary.v1". */
  name: string
  /** sha256 of the whole file, as in prompts.lock.json. */
  hash: string
  purpose: string
  /** What a reply must look like. */
  output: string
  changes: string
  /** Name and what it stands for, in the order declared. */
  variables: Record<string, string>
  template: string
}

const fileName = /^[a-z0-9-]+\.v[1-9]\d*\.md$/
const placeholder = /\{\{([A-Za-z]\w*)\}\}/g
const heads = ['purpose', 'output', 'changes'] as const

/** @throws Error when the file does not exist or is no prompt; a prompt ships with the code */
export async function loadPrompt (file: URL): Promise<Prompt> {
  const base = decodeURIComponent(file.pathname.slice(file.pathname.lastIndexOf('/') + 1))
  return parsePrompt(base, await readFile(file, 'utf8'))
}

/**
 * @param base    name of the file, `name.vN.md`
 * @param source  front matter between two lines `---`, then the template
 * @throws Error  naming every fault: a head that is missing, a variable undeclared or unused
 */
export function parsePrompt (base: string, source: string): Prompt {
  const faults: string[] = []
  if (!fileName.test(base)) faults.push('the name is not name.vN.md')
  const lines = source.split('\n')
  const end = lines.indexOf('---', 1)
  if (lines[0] !== '---' || end < 0) throw new Error(`${base}: the front matter is missing`)
  const { values, variables } = readFrontMatter(lines.slice(1, end))
  for (const head of heads) if (!values[head]) faults.push(`${head} is missing`)
  const template = lines.slice(end + 1).join('\n').trim()
  if (template === '') faults.push('the template is empty')
  const used = new Set([...template.matchAll(placeholder)].map(match => match[1]!))
  for (const name of used) if (!Object.hasOwn(variables, name)) faults.push(`undeclared {{${name}}}`)
  for (const name of Object.keys(variables)) if (!used.has(name)) faults.push(`unused variable ${name}`)
  if (faults.length > 0) throw new Error(`${base}: ${faults.join('; ')}`)
  const { purpose = '', output = '', changes = '' } = values
  const name = base.slice(0, -'.md'.length)
  return { name, hash: sha256(source), purpose, output, changes, variables, template }
}

/** `key: value` lines; the members of `variables` are indented by two spaces. */
function readFrontMatter (lines: readonly string[]) {
  const values: Record<string, string> = {}
  const variables: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const key = line.slice(0, colon)
    const value = line.slice(colon + 1).trim()
    if (key.startsWith('  ')) variables[key.trim()] = value
    else values[key] = value
  }
  return { values, variables }
}

/**
 * The prompt with its values in place, in one pass.
 *
 * @throws Error when a value is missing or belongs to no variable: both are faults of the caller
 */
export function renderPrompt (
  { name, variables, template }: Prompt, values: Readonly<Record<string, string>>
): string {
  const missing = Object.keys(variables).filter(variable => values[variable] === undefined)
  const foreign = Object.keys(values).filter(variable => !Object.hasOwn(variables, variable))
  if (missing.length + foreign.length > 0) {
    throw new Error(`${name}: missing ${missing.join(', ') || 'nothing'}; unknown ${foreign.join(', ') || 'nothing'}`)
  }
  const fenced = fenceFor([...template.matchAll(/<\/([a-z][a-z-]*)>/g)].map(match => match[1]!))
  return template.replace(placeholder, (_, variable: string) => fenced(values[variable]!))
}
