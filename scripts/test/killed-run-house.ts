/** Scoring with the real inference, in a process of its own that a test may kill. */
import { startServices } from '../../shared/app/start.ts'
import { silentLog } from '../../shared/app/log.ts'
import { inference } from '../../services/inference/service.ts'
import { scoring } from '../../services/scoring/service.ts'
import { benchmarkOf, documentOf, pairOf } from '../../services/scoring/test/fixtures.ts'
import { reviewing } from '../../services/scoring/test/given-scoring.ts'

const documents = [documentOf('one'), documentOf('two')]
// No two prompts are equal: one recorded reply would answer both.
const items = documents.flatMap((document, at) =>
  Array.from({ length: 8 }, (_, nth) => pairOf(document, `pair ${at} ${nth}`)).flat())
const frozen = [{ benchmark: benchmarkOf(documents, items), items }]

const { url } = await startServices([reviewing({ documents, frozen }), inference, scoring], {
  ...process.env, PORT: '0', RATE_PER_MINUTE: '0'
}, { log: silentLog() })
process.stdout.write(`${JSON.stringify({ url, benchmarkId: frozen[0]!.benchmark.id, items: items.length })}\n`)
