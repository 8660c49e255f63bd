import { serve } from '../../shared/app/main.ts'
import { scoring } from './service.ts'

await serve(scoring)
