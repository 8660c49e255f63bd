/** The fake vLLM of this project, in this process, as the real one is started. */
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import type { Engine } from './engine.ts'

const version = '0.32.0'
const contextLength = 1024

export async function startFake (): Promise<Engine> {
  const { url, close } = await fakeVllm({
    models: ['tiny'], version, maxModelLen: contextLength, maxNumSeqs: 8, task: 'generate', ids: 'header', sleepMode: false, itlMs: 2
  })
  return { url, model: 'tiny', version, contextLength, close }
}
