/** JSON as Python writes it: NaN and Infinity, which are no JSON, are read as null. */
import { parseStrictJson } from './strict-json.ts'

/** A string, or a number that JSON does not have. */
const notNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/gs

/**
 * @returns the value, and how many of its numbers were none and are null
 * @throws Problem invalid-json that says what is wrong and where
 */
export function parsePythonJson (text: string): { value: unknown, notNumbers: number } {
  try {
    return { value: parseStrictJson(text), notNumbers: 0 }
  } catch (cause) {
    if (!/NaN|Infinity/.test(text)) throw cause
    let count = 0
    const bare = text.replace(notNumbers, found => {
      if (found.startsWith('"')) return found
      count++
      return 'null'
    })
    if (count === 0) throw cause
    return { value: parseStrictJson(bare), notNumbers: count }
  }
}
