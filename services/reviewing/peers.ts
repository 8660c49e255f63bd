/** The services before this one, as reviewing asks them. */
import type { Call } from '../../shared/clients/call.ts'
import { generationClient, type GenerationClient } from '../../shared/clients/generation.ts'
import { inferenceClient, type InferenceClient } from '../../shared/clients/inference.ts'
import { parsingClient, type ParsingClient } from '../../shared/clients/parsing.ts'

export interface Peers {
  generation: Pick<GenerationClient,
    'getGeneration' | 'getImport' | 'getCuration' | 'listCurationFlags' | 'getBankImage' | 'getItem' | 'getDiversity' | 'listItems' | 'listRejections' | 'acknowledgeGeneration'>
  parsing: Pick<ParsingClient, 'getDocument' | 'getFigureImage'>
  inference: Pick<InferenceClient, 'structured' | 'secondsMax' | 'chat' | 'countTokens' | 'listModels' | 'limitGroup' | 'freeGroup'>
}

export function peersOf (call: Call): Peers {
  return {
    generation: generationClient(call), parsing: parsingClient(call), inference: inferenceClient(call)
  }
}
