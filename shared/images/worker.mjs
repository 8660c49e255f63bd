// A worker thread does not inherit the TypeScript loader.
import { register } from 'tsx/esm/api'
register()
await import('./worker.ts')
