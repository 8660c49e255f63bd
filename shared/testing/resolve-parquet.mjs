/**
 * Resolves the Parquet writer's own imports as Node does: the loader that tests run under knows no
 * `exports` pattern with an ending after its star. Register it before the first Parquet is written.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

export async function resolve (specifier, context, next) {
  if (!specifier.startsWith('hyparquet')) return await next(specifier, context)
  const path = createRequire(context.parentURL).resolve(specifier)
  return { url: pathToFileURL(path).href, format: 'module', shortCircuit: true }
}
