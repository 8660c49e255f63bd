import { serve } from '../../shared/app/serve.ts'
import { parsing } from './service.ts'

await serve(parsing)
