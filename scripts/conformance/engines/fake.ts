/** The fake vLLM of this project, in this process. */
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import type { Engine } from './engine.ts'

export async function startFake (): Promise<Engine> {
  const { url, close } = await fakeVllm({ models: ['tiny'] })
  return { url, model: 'tiny', version: '0.29.0', contextLength: 1024, close }
}
