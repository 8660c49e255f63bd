/**
 * GROBID's web service: one request, answered when the paper is done.
 * @see https://grobid.readthedocs.io/en/latest/Grobid-service/
 */
import type { EngineAnswer } from '../domain/external-engine.ts'
import { formWith, invalidAnswer, paperBytesMax, statusProblem, type Talk } from './ask-engine.ts'

const fields = [
  ['consolidateHeader', '0'], ['consolidateCitations', '0'], ['segmentSentences', '1'], ['includeRawCitations', '1'],
  ...['head', 'p', 's', 'figure', 'ref', 'biblStruct', 'formula', 'note', 'title'].map(element => ['teiCoordinates', element] as const)
] as const

const pauseMsMin = 5_000
const pauseMsMax = 10_000

/** @throws Problem engine-… */
export async function askGrobid (talk: Talk, pdf: Uint8Array): Promise<EngineAnswer> {
  for (let tries = 0; ; tries++) {
    const reply = await talk.ask({
      path: '/api/processFulltextDocument',
      form: formWith('input', pdf, fields),
      headers: { accept: 'application/xml' },
      bytesMax: paperBytesMax
    })
    if (reply.status === 503) {
      // All its threads are busy: it keeps no queue, so whoever asks must wait.
      const ms = reply.retryAfterMs ?? pauseMsMin + 1_000 * tries
      await talk.pause(Math.min(Math.max(ms, pauseMsMin), pauseMsMax))
      continue
    }
    // Nothing extracted.
    if (reply.status === 204) return { name: 'grobid', version: '', bytes: new Uint8Array() }
    if (reply.status !== 200) throw statusProblem(talk.engine, reply)
    const start = reply.bytes.subarray(0, 16_384).toString()
    // A proxy's page of an error may come with status 200.
    if (!/<TEI[\s>]/u.test(start)) throw invalidAnswer(talk.engine, 'TEI')
    const version = /<application\s[^>]{0,200}?version="([\w.+-]{1,40})"/u.exec(start)?.[1] ?? ''
    return { name: 'grobid', version, bytes: reply.bytes }
  }
}
