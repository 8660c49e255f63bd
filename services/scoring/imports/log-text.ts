/** The text of a log, and the JSON in it. */
import { isUtf8 } from 'node:buffer'
import { parsePythonJson } from '../../../shared/app/python-json.ts'
import { Problem } from '../../../shared/errors/problem.ts'

/** @throws Problem invalid-json that says what is wrong and where */
export function parseLog (text: string): unknown {
  return parsePythonJson(text).value
}

/** Text without a byte order mark. @throws Problem log-damaged for what is not UTF-8 */
export function textOf (bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('log-damaged', 'The log is not UTF-8; save it in that encoding.')
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}
