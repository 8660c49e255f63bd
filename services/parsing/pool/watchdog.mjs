/**
 * A thread beside the parser that still runs while the parser is stuck in one long call: it ends
 * the process when memory exceeds its limit, and when the parent is gone. Plain JavaScript, since
 * a thread that has to load a TypeScript loader costs every start a tenth of a second.
 */
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const { parentPid, memoryBytesMax } = workerData

function parentIsGone () {
  if (process.platform !== 'win32') return process.ppid !== parentPid
  try {
    return !process.kill(parentPid, 0)
  } catch {
    return true
  }
}

setInterval(() => {
  const tooLarge = process.memoryUsage.rss() > memoryBytesMax
  // The parent reads the cause from the last words.
  if (tooLarge) writeSync(2, '\nviva: memory limit\n')
  if (tooLarge || parentIsGone()) process.kill(process.pid, 'SIGKILL')
}, 50)
