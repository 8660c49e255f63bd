/**
 * Runs a TypeScript file of this project: `node scripts/run.mjs FILE [arguments]`.
 * Plain JavaScript, so that a Node that is too old can read it and say so.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const needed = [20, 19]
const have = process.versions.node.split('.').map(Number)
if (have[0] < needed[0] || (have[0] === needed[0] && have[1] < needed[1])) {
  console.error(`Viva needs Node ${needed.join('.')} or later; this is ${process.versions.node}. Install a newer Node from nodejs.org and run the command again.`)
  process.exit(1)
}

const file = resolve(process.argv[2])
// The script must find its own name and arguments where a directly started one would.
process.argv.splice(1, 2, file)
const { register } = await import('tsx/esm/api')
register()
await import(pathToFileURL(file).href)
