/** The other side of measure.ts: the bytes of one body in, the bytes of one answer out. */
import { parentPort, workerData } from 'node:worker_threads'
import { parseStrictBytes } from '../../../shared/app/strict-json.ts'
import { compileValidator, invalidRequest } from '../../../shared/app/validators.ts'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { statelessAnswer, statelessBody, type StatelessName } from '../domain/stateless.ts'

const { name, bytes } = workerData as { name: StatelessName, bytes: Uint8Array }

function answer (): Uint8Array {
  const body = parseStrictBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const validate = compileValidator({ schema: statelessBody(name), httpPart: 'body' })
  if (validate(body) !== true) throw invalidRequest(validate.errors ?? [], 'body')
  return new TextEncoder().encode(JSON.stringify(statelessAnswer(name, body)))
}

try {
  const result = answer()
  parentPort!.postMessage({ result }, [result.buffer as ArrayBuffer])
} catch (cause) {
  // A bug ends the thread, and the caller sees it as one.
  if (!(cause instanceof Problem)) throw cause
  parentPort!.postMessage({ problem: problemBody(cause) })
}
