/** The whole suite in one process, on one port, with one Swagger UI. */
import { serve } from '../shared/app/serve.ts'
import { suite } from './suite.ts'

await serve(...suite)
