import { serve } from '../../shared/app/main.ts'
import { reviewing } from './service.ts'

await serve(reviewing)
