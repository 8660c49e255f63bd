/** Routes whose long bodies stay bytes: their thread parses and checks them, by the same schema. */
import type { FastifyInstance } from 'fastify'
import { parseStrictBytes } from '../../shared/app/strict-json.ts'
import { compileValidator } from '../../shared/app/validators.ts'
import { inlineBytesMax } from './handlers/measure.ts'

/** For a scope of its own; what its routes answer is JSON by JSON.stringify, or bytes already. */
export function leaveLongBodies (scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    body.length > inlineBytesMax ? body : parseStrictBytes(body))
  scope.setValidatorCompiler<unknown>(route => {
    const validate = compileValidator(route)
    const check = (data: unknown) => Buffer.isBuffer(data) || validate(data)
    // Fastify reads the faults off the function it called.
    return Object.defineProperty(check, 'errors', { get: () => validate.errors })
  })
  // The answer of a thread is bytes already.
  scope.setSerializerCompiler(() => data => JSON.stringify(data))
}
