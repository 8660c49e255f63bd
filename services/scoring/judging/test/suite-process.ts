/** The suite as a process of its own, to be killed: its folder and its model server come as arguments. */
import { startSuite } from './given-suite.ts'

const [dir = '', fakeUrl = ''] = process.argv.slice(2)
const { url } = await startSuite(dir, fakeUrl)
process.stdout.write(`${JSON.stringify({ url })}\n`)
