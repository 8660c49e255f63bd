/** What a reply says, apart from how: the same answer has another id, time and cutting each time. */
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { isObject, type JsonObject } from './json-object.ts'

interface Tool { name: string, arguments: string }
interface Said { text: string, reasoning: string, tools: Record<string, Tool>, finish: string | null }

/**
 * Texts, reasoning, tool calls and finish reasons by choice, or the vectors or tokens, as canonical JSON;
 * equal for a stream and a whole reply that say the same. Null for what cannot be read.
 */
export function substanceOf (bytes: Uint8Array, contentType: string): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    const frames = contentType.startsWith('text/event-stream') ? framesOf(text) : [JSON.parse(text) as JsonObject]
    const choices = new Map<number, Said>()
    for (const frame of frames) {
      if (!isObject(frame)) return null
      if (!Array.isArray(frame.choices)) return canonicalJson(frame.data ?? withoutMarks(frame))
      for (const choice of frame.choices) if (isObject(choice)) addChoice(choices, choice)
    }
    return canonicalJson([...choices].sort(([a], [b]) => a - b))
  } catch { return null }
}

function framesOf (text: string): JsonObject[] {
  return text.split(/\r?\n/).filter(line => line.startsWith('data:'))
    .map(line => line.slice(5).trim()).filter(data => data !== '' && data !== '[DONE]')
    .map(data => JSON.parse(data) as JsonObject)
}

function withoutMarks ({ id, created, ...rest }: JsonObject): JsonObject {
  return rest
}

function addChoice (choices: Map<number, Said>, choice: JsonObject): void {
  const index = typeof choice.index === 'number' ? choice.index : 0
  const said = choices.get(index) ?? { text: '', reasoning: '', tools: {}, finish: null }
  choices.set(index, said)
  const part = [choice.delta, choice.message].find(isObject) ?? {}
  said.text += textOf(part.content) + textOf(part.refusal) + textOf(choice.text)
  // Some versions send both names with the same text.
  said.reasoning += textOf(part.reasoning) || textOf(part.reasoning_content)
  const calls = Array.isArray(part.tool_calls) ? part.tool_calls.filter(isObject) : []
  calls.forEach((call, at) => { addTool(said, call, at) })
  if (typeof choice.finish_reason === 'string') said.finish = choice.finish_reason
}

function addTool ({ tools }: Said, call: JsonObject, at: number): void {
  const place = String(typeof call.index === 'number' ? call.index : at)
  const called = isObject(call.function) ? call.function : {}
  const tool = tools[place] ??= { name: '', arguments: '' }
  tool.name += textOf(called.name)
  tool.arguments += textOf(called.arguments)
}

function textOf (value: unknown): string {
  return typeof value === 'string' ? value : ''
}
