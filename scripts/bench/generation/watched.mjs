/** Preloaded into a suite with --expose-gc: says how much memory it holds, and ends with its parent. */
process.on('message', () => {
  globalThis.gc()
  process.send(process.memoryUsage())
})
process.once('disconnect', () => process.exit(1))
