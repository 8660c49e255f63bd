// A thread starts without the TypeScript loader; this gives it one.
import { register } from 'tsx/esm/api'
register()
await import('./entry.ts')
