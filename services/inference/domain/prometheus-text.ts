/**
 * The few gauges of a `/metrics` page that routing needs (Prometheus text format 0.0.4). A page has
 * thousands of lines, most of them buckets of histograms: a line is read only when its name is wanted.
 */

export interface Sample { labels: ReadonlyMap<string, string>, value: number }

/**
 * Samples of the wanted families, by their exact name: `num_requests_waiting_by_reason` is not
 * `num_requests_waiting`. A sample that is no finite number (NaN, +Inf) or whose line is broken is left
 * out, as is a last line without its line feed, which may have been cut in the middle of a number.
 *
 * @returns a list for each family that has a sample
 */
export function readSamples (text: string, wanted: ReadonlySet<string>): Map<string, Sample[]> {
  const found = new Map<string, Sample[]>()
  for (let start = 0, end: number; (end = text.indexOf('\n', start)) !== -1; start = end + 1) {
    const stop = nameEnd(text, start, end)
    const name = text.slice(start, stop)
    if (!wanted.has(name)) continue
    const sample = sampleIn(text.slice(stop, end))
    if (sample === undefined) continue
    const samples = found.get(name)
    if (samples === undefined) found.set(name, [sample])
    else samples.push(sample)
  }
  return found
}

/** No name that is wanted is longer. */
const nameCharsMax = 100

function nameEnd (text: string, start: number, end: number): number {
  const most = Math.min(end, start + nameCharsMax)
  for (let at = start; at < most; at++) {
    const code = text.charCodeAt(at)
    // An opening brace, a space or a tab.
    if (code === 0x7b || code === 0x20 || code === 0x09) return at
  }
  return most
}

/** `{label="value",…} number [timestamp]`, the labels being optional. */
function sampleIn (rest: string): Sample | undefined {
  const labels = new Map<string, string>()
  const after = rest.startsWith('{') ? readLabels(rest, labels) : 0
  if (after === undefined) return undefined
  const [number = ''] = rest.slice(after).trim().split(/[ \t]/, 1)
  const value = number === '' ? NaN : Number(number)
  return Number.isFinite(value) ? { labels, value } : undefined
}

/** @returns the place after the closing brace; undefined where the labels are broken */
function readLabels (text: string, labels: Map<string, string>): number | undefined {
  let at = 1
  for (;;) {
    while (text[at] === ' ' || text[at] === ',') at++
    if (text[at] === '}') return at + 1
    const equals = text.indexOf('=', at)
    if (equals === -1) return undefined
    const name = text.slice(at, equals).trim()
    at = equals + 1
    while (text[at] === ' ') at++
    if (text[at] !== '"') return undefined
    let value = ''
    for (at++; text[at] !== '"'; at++) {
      if (at >= text.length) return undefined
      if (text[at] !== '\\') value += text[at]
      // The format knows \\, \" and \n.
      else value += text[++at] === 'n' ? '\n' : text[at] ?? ''
    }
    at++
    labels.set(name, value)
  }
}
