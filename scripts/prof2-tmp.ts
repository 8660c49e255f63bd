import { readFileSync, readdirSync } from 'node:fs'
import { openPdf } from '/work/main/services/parsing/engine/pdfium.ts'
import { parseLimits, parsePdf } from '/work/main/services/parsing/parse-pdf.ts'
const dir='/work/shared/papers/dev/'
const pictures = process.argv[2] === 'crops'
let bare=0, all=0, n=0
const cpu = (s: NodeJS.CpuUsage) => { const e = process.cpuUsage(s); return (e.user+e.system)/1000 }
for (const f of readdirSync(dir).filter(n => n.endsWith('.pdf'))) {
  const bytes = readFileSync(dir + f)
  let s = process.cpuUsage()
  const source = await openPdf(bytes, parseLimits)
  for (let n = 1; n <= source.pageCount; n++) source.readPage(n)
  n += source.pageCount
  source.close()
  bare += cpu(s); s = process.cpuUsage()
  await parsePdf(bytes, { paperId: 'paper_' + '0'.repeat(32), pictures } as any)
  all += cpu(s)
}
console.log(n, 'bare', (n/bare*1000).toFixed(1), 'parse', (n/all*1000).toFixed(1), 'ratio', (bare/all).toFixed(2))
