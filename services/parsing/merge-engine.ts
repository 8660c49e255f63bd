/** A document of ours with what an external engine said of the same file; see domain/merge/. */
import { Problem } from '../../shared/errors/problem.ts'
import type { EngineAnswer } from './domain/external-engine.ts'
import { mergeDocling } from './domain/merge/docling.ts'
import { mergeGrobid } from './domain/merge/grobid.ts'
import { listIn, recordIn, textIn } from './domain/merge/loose.ts'
import { mergeMathpix } from './domain/merge/mathpix.ts'
import { readTei } from './formats/tei/tei.ts'
import type { DocumentDraft } from './parser.ts'

/** @throws Problem engine-refused when the answer cannot be read: a document is never merged by half */
export async function mergeEngine (document: DocumentDraft, answer: EngineAnswer): Promise<DocumentDraft> {
  const { merged, version } = await merge(document, answer)
  const { engine, version: own } = document.parser
  const versions = version === '' ? own : `${own}+${version}`
  return { ...merged, parser: { engine: `${engine}+${answer.name}`, version: versions } }
}

async function merge (
  document: DocumentDraft, answer: EngineAnswer
): Promise<{ merged: DocumentDraft, version: string }> {
  const { name, bytes, version } = answer
  if (name === 'grobid') {
    return { merged: mergeGrobid(document, bytes.byteLength === 0 ? null : await outlineIn(bytes)), version }
  }
  const value = recordIn(jsonIn(answer))
  if (name === 'mathpix') return { merged: mergeMathpix(document, value), version }
  if (value.status !== 'success') {
    const said = listIn(value.errors).map(error => textIn(recordIn(error).error_message)).join('; ').slice(0, 300)
    throw new Problem('engine-refused', `docling did not read this paper whole (${textIn(value.status).slice(0, 40)}). ${said}`)
  }
  const docling = recordIn(recordIn(value.document).json_content)
  const of = textIn(docling.version)
  return { merged: mergeDocling(document, docling), version: /^[\w.+-]{1,40}$/u.test(of) ? of : '' }
}

async function outlineIn (bytes: Uint8Array) {
  try {
    return (await readTei(bytes)).outline
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause
    throw new Problem('engine-refused', `grobid gave TEI that cannot be read: ${cause.message}`, { cause })
  }
}

function jsonIn ({ name, bytes }: EngineAnswer): unknown {
  try { return JSON.parse(Buffer.from(bytes).toString()) } catch (cause) {
    throw new Problem('engine-refused', `${name} gave something that is not JSON; is its address in PARSER_ENGINES right?`, { cause })
  }
}
