import { serve } from '../../shared/app/serve.ts'
import { reviewing } from './service.ts'

await serve(reviewing)
