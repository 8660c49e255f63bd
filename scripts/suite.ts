/** The five services in walking order. */
import { generation } from '../services/generation/service.ts'
import { inference } from '../services/inference/service.ts'
import { parsing } from '../services/parsing/service.ts'
import { reviewing } from '../services/reviewing/service.ts'
import { scoring } from '../services/scoring/service.ts'

export const suite = [parsing, generation, reviewing, inference, scoring]
