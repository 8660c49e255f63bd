/** OpenAI's Python client, installed once into the cache folder, for the test that uses it. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pythonWith } from './python.ts'

/** The client and all it needs; versions that Python 3.10 and later have. */
const requirements = [
  'openai==3.57.0', 'annotated-types==0.8.0', 'anyio==4.16.0', 'exceptiongroup==1.3.1', 'h11==0.16.0',
  'httpcore2==2.16.2', 'httpx2==2.16.2', 'idna==3.20', 'jiter==0.19.0', 'pydantic==2.14.4', 'pydantic_core==2.50.5',
  'sniffio==1.3.1', 'truststore==0.10.5', 'typing-inspection==0.4.5', 'typing_extensions==4.16.0'
]
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'viva', 'engines')

/** A `python` that has the client, or why there is none. */
export async function findOpenAiPython (): Promise<{ path: string } | { reason: string }> {
  const folder = join(cache, 'openai-python-3.57.0')
  return await pythonWith({ folder, requirements, leastMinor: 10 })
    .then(path => ({ path }), (cause: unknown) => ({ reason: (cause as Error).message }))
}
