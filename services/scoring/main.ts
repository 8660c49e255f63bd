import { serve } from '../../shared/app/serve.ts'
import { scoring } from './service.ts'

await serve(scoring)
