/** What a file is, by its bytes; what it is called counts for nothing. */
import type { Container } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'

const headBytes = 65_536
/** A zip's list of its entries stands at its end. */
const tailBytes = 4 * 2 ** 20

/** @throws Problem not-a-bank, bank-damaged for a file without bytes */
export function containerOf (bytes: Buffer): Container {
  if (bytes.byteLength === 0) throw new Problem('bank-damaged', 'The file has no bytes; choose it again and send it whole.')
  const start = bytes.toString('latin1', 0, 8)
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) {
    return bytes.subarray(-tailBytes).includes('xl/workbook.xml') ? 'xlsx' : 'zip'
  }
  if (start.startsWith('PAR1')) return 'parquet'
  if (start.startsWith('%PDF-')) {
    throw new Problem('not-a-bank', 'An exam as PDF is read by parsing: POST it to /v1/papers, then import {"paperId": "…", "options": {"format": "exam-pdf"}}.')
  }
  if (start.startsWith('\xD0\xCF\x11\xE0')) throw new Problem('not-a-bank', 'The file is of an old Excel (.xls) or locked with a password; save it as .xlsx without one.')
  return textContainer(bytes)
}

function textContainer (bytes: Buffer): Container {
  const [a, b] = bytes
  const isWide = (a === 0xFF && b === 0xFE) || (a === 0xFE && b === 0xFF) || (a !== 0 && b === 0)
  const head = bytes.toString('latin1', 0, headBytes).replace(/^(?:\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)/, '')
  if (!isWide && head.includes('\0')) throw notABank('has bytes that no text has')
  const text = (isWide ? head.replaceAll('\0', '') : head).trimStart()
  if (/^<(?:!doctype|html|\?xml|svg)/i.test(text)) throw notABank('is a web page or XML')
  if (text.startsWith('[')) return 'json'
  if (!text.startsWith('{')) return 'csv'
  return /^\{[^\n]*\}\s*\n\s*\{/.test(text) ? 'jsonl' : 'json'
}

function notABank (what: string): Problem {
  return new Problem('not-a-bank', `The file ${what}. Item banks are read from JSON, JSONL, CSV, XLSX, Parquet, and a zip of these with their images.`)
}
