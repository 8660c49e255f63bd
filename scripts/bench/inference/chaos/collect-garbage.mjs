/** Preloaded into a process with --expose-gc: SIGUSR2 frees what nobody holds; what is left is held. */
process.on('SIGUSR2', () => { globalThis.gc() })
