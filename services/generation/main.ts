import { serve } from '../../shared/app/main.ts'
import { generation } from './service.ts'

await serve(generation)
