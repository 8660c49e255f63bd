import { serve } from '../../shared/app/main.ts'
import { parsing } from './service.ts'

await serve(parsing)
