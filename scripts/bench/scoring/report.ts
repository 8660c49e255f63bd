/** A report of 20,000 predictions, from the stored replies to the page. */
import { Value } from 'typebox/value'
import { Condition } from '../../../shared/contracts/run.ts'
import { makeReport } from '../../../services/scoring/handlers/make-report.ts'
import { readReportHtml } from '../../../services/scoring/handlers/read-report.ts'
import { median, milliseconds, type Figure } from '../inference/figure.ts'
import { madeBenchmark, type MadeRun } from './made-runs.ts'
import { reportParts } from './report-parts.ts'

export interface ReportSizes { predictions?: number, runs?: number, rounds?: number, seed: number }

const secondsMax = 3
const residentMax = 500 * 2 ** 20
const papers = 20

export async function report (
  { predictions = 20_000, runs: count = 10, rounds = 5, seed }: ReportSizes
): Promise<Figure[]> {
  const made = madeBenchmark({ papers, itemsPerPaper: Math.round(predictions / count / papers), seed })
  const condition = Value.Default(Condition, {}) as Condition
  const runs: MadeRun[] = Array.from({ length: count }, (_, at) => ({
    runId: `run_${String(at).padStart(32, '0')}`, model: `made-${at}`, condition, ability: 3 * at / count - 1
  }))
  const { parts, close } = await reportParts(made, runs)
  try {
    const times: number[] = []
    const walls: number[] = []
    const pages: number[] = []
    let bytes = 0
    let resident = 0
    const watch = setInterval(() => { resident = Math.max(resident, process.memoryUsage.rss()) }, 5)
    for (let round = 0; round < rounds; round++) {
      const request = { runIds: runs.map(({ runId }) => runId), judgements: [] }
      const [began, used] = [performance.now(), process.cpuUsage()]
      const { report: { id } } = await makeReport(parts, request)
      walls.push(performance.now() - began)
      times.push(cpuMs(used))
      const before = process.cpuUsage()
      const page = await readReportHtml(parts, id)
      pages.push(cpuMs(before))
      bytes = Buffer.byteLength(page)
    }
    clearInterval(watch)
    const n = `${made.items.length} items × ${count} runs, ${papers} papers; CPU time, median of ${rounds}, the first ${milliseconds(times[0]!)}; by the clock ${milliseconds(median(walls))}`
    return [{
      what: 'report of stored predictions',
      bar: `≤ ${secondsMax} s`,
      met: median(times) <= secondsMax * 1000,
      measured: milliseconds(median(times)),
      n,
      values: {
        ms: median(times), first: times[0]!, wallMs: median(walls), predictions: made.items.length * count
      }
    }, {
      what: 'its page',
      bar: '≤ 5 MB',
      met: bytes <= 5_000_000,
      measured: `${(bytes / 1e6).toFixed(2)} MB, ${milliseconds(median(pages))}`,
      n,
      values: { bytes, ms: median(pages) }
    }, {
      what: 'memory of the process (resident), most',
      bar: '≤ 500 MB',
      met: resident <= residentMax,
      measured: `${(resident / 2 ** 20).toFixed(0)} MB`,
      n,
      values: { resident }
    }]
  } finally {
    await close()
  }
}

function cpuMs (since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
