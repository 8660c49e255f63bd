/** A file of K-MetBench's form: what is said of the whole, and `results` a row at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** So many hold the event loop for some milliseconds. */
const rowsAtOnce = 50

/** One JSON object; a row stands on a line of its own. The same replies are the same bytes. */
export async function * fileOf (head: object, rows: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`
  let count = 0
  for await (const row of rows) {
    yield `${count === 0 ? '' : ','}\n${JSON.stringify(row)}`
    if (++count % rowsAtOnce === 0) await nextTurn()
  }
  yield '\n]}\n'
}
