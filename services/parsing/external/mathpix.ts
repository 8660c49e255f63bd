/**
 * Mathpix: a paid service in the cloud, so the paper leaves the house; it keeps it for 30 days.
 * @see https://docs.mathpix.com/reference/post-v3-pdf
 */
import { Problem } from '../../../shared/errors/problem.ts'
import type { EngineAnswer } from '../domain/external-engine.ts'
import { formWith, idIn, invalidAnswer, objectIn, paperBytesMax, statusProblem, type Talk } from './ask-engine.ts'

const pollMs = 3_000
const working = ['received', 'loaded', 'split', 'processing']

/** @throws Problem engine-… */
export async function askMathpix (talk: Talk, pdf: Uint8Array): Promise<EngineAnswer> {
  const { engine, secret } = talk
  const headers = { app_id: secret(engine.appIdEnv), app_key: secret(engine.apiKeyEnv) }
  if (headers.app_id === '' || headers.app_key === '') {
    throw new Problem('engine-refused', `Mathpix needs its keys in ${engine.appIdEnv} and ${engine.apiKeyEnv} of the environment of parsing.`)
  }
  const accepted = await talk.ask({
    path: '/v3/pdf', form: formWith('file', pdf, [['options_json', JSON.stringify({ include_equation_tags: true })]]), headers
  })
  if (accepted.status !== 200) throw statusProblem(engine, accepted)
  const id = idIn(engine, objectIn(engine, accepted).pdf_id)
  for (;;) {
    const reply = await talk.ask({ path: `/v3/pdf/${id}`, headers })
    if (reply.status !== 200) throw statusProblem(engine, reply)
    const { status } = objectIn(engine, reply)
    if (status === 'completed') break
    if (status === 'error') throw statusProblem(engine, { ...reply, status: 500 })
    if (!working.includes(String(status))) throw invalidAnswer(engine, 'the state of a paper')
    await talk.pause(pollMs)
  }
  const lines = await talk.ask({ path: `/v3/pdf/${id}.lines.json`, headers, bytesMax: paperBytesMax })
  if (lines.status !== 200) throw statusProblem(engine, lines)
  return { name: 'mathpix', version: 'v3', bytes: lines.bytes }
}
