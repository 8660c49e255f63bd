/**
 * docling-serve, by its tasks: its other form waits at most two minutes.
 * @see https://github.com/docling-project/docling-serve/blob/main/docs/usage.md
 */
import type { EngineAnswer } from '../domain/external-engine.ts'
import { formWith, idIn, invalidAnswer, objectIn, paperBytesMax, statusProblem, type Reply, type Talk } from './ask-engine.ts'

const fields = [
  ['to_formats', 'json'], ['do_ocr', 'false'],
  // Ours are the pictures; its own would be megabytes of base64.
  ['image_export_mode', 'placeholder'], ['include_images', 'false']
] as const
const pollMs = 2_000

/** @throws Problem engine-… */
export async function askDocling (talk: Talk, pdf: Uint8Array): Promise<EngineAnswer> {
  const { engine } = talk
  const key = talk.secret(engine.apiKeyEnv)
  const headers: Record<string, string> = key === '' ? {} : { 'x-api-key': key }
  const get = async (path: string): Promise<Reply> => {
    const reply = await talk.ask({ path, headers })
    if (reply.status !== 200) throw statusProblem(engine, reply)
    return reply
  }
  const limit = ['document_timeout', String(Math.floor(engine.timeoutMs / 1_000))] as const
  const accepted = await talk.ask({ path: '/v1/convert/file/async', form: formWith('files', pdf, [...fields, limit]), headers })
  if (accepted.status !== 200 && accepted.status !== 202) throw statusProblem(engine, accepted)
  const id = idIn(engine, objectIn(engine, accepted).task_id)
  for (;;) {
    const { task_status: status } = objectIn(engine, await get(`/v1/status/poll/${id}`))
    if (status === 'success') break
    // Why it failed stands in the result.
    if (status === 'failure') throw statusProblem(engine, { ...await talk.ask({ path: `/v1/result/${id}`, headers }), status: 500 })
    if (status !== 'pending' && status !== 'started') throw invalidAnswer(engine, 'the state of a task')
    await talk.pause(pollMs)
  }
  const result = await talk.ask({ path: `/v1/result/${id}`, headers, bytesMax: paperBytesMax })
  if (result.status !== 200) throw statusProblem(engine, result)
  return { name: 'docling', version: '', bytes: result.bytes }
}
