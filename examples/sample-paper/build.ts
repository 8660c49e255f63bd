/** Writes sample-paper.pdf from results.json and sample-paper.typ: `npm run sample-paper`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, readResults, typeset } from './typeset.ts'

const pdf = typeset(readResults())
writeFileSync(join(folder, 'sample-paper.pdf'), pdf)
console.log(`sample-paper.pdf: ${pdf.length} bytes`)
