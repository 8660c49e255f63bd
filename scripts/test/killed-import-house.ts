/** Generation, in a process of its own that a test may kill. */
import { silentLog } from '../../shared/app/log.ts'
import { startServices } from '../../shared/app/start.ts'
import { generation } from '../../services/generation/service.ts'

const nowhere = 'http://127.0.0.1:9'
const { url } = await startServices([generation], {
  ...process.env, PORT: '0', RATE_PER_MINUTE: '0', PARSING_URL: nowhere, INFERENCE_URL: nowhere
}, { log: silentLog() })
process.stdout.write(`${JSON.stringify({ url })}\n`)
