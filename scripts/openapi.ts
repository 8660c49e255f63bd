/** Writes the documents that are made from the code; a test holds them equal. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { documents } from './documents.ts'

for (const [path, content] of Object.entries(await documents())) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  process.stdout.write(`${path}\n`)
}
process.exit(0)
