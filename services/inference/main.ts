import { serve } from '../../shared/app/serve.ts'
import { inference } from './service.ts'

await serve(inference)
