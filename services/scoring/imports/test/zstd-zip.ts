/** The files of a log that inspect-ai zipped. */
import { entriesOf } from '../unzip.ts'

export async function filesInZstdZip (zip: Buffer): Promise<Array<{ name: string, data: Buffer }>> {
  const files = []
  for await (const { name, bytes } of entriesOf(zip)) files.push({ name, data: await bytes() })
  return files
}
