/** The files of a log that inspect-ai zipped. */
import { entriesOf } from '../../../../shared/archive/zip-entries.ts'
import { limits } from '../domain/limits.ts'

export async function filesInZstdZip (zip: Buffer): Promise<Array<{ name: string, data: Buffer }>> {
  const files = []
  for await (const { name, bytes } of entriesOf(zip, { limits, damage: 'log-damaged', what: 'log' })) files.push({ name, data: await bytes() })
  return files
}
