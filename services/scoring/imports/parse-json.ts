/** JSON as harnesses write it: Python's NaN and Infinity, which are no JSON, are read as null. */
import { isUtf8 } from 'node:buffer'
import { parseStrictJson } from '../../../shared/app/strict-json.ts'
import { Problem } from '../../../shared/errors/problem.ts'

/** A string, or a number that JSON does not have. */
const notNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/gs

/** @throws Problem invalid-json that says what is wrong and where */
export function parseLog (text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (cause) {
    if (!/NaN|Infinity/.test(text)) throw cause
    return parseStrictJson(text.replace(notNumbers, found => found.startsWith('"') ? found : 'null'))
  }
}

/** Text without a byte order mark. @throws Problem log-damaged for what is not UTF-8 */
export function textOf (bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('log-damaged', 'The log is not UTF-8; save it in that encoding.')
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}
