import { serve } from '../../shared/app/main.ts'
import { inference } from './service.ts'

await serve(inference)
