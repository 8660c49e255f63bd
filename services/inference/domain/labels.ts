/** What callers call themselves: opaque to us, and in tables and spreadsheets of whoever reads the usage. */
import type { Labels } from './call.ts'
import { headerFault } from './field-fault.ts'

export const labelCharsMax = 120

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * `viva-caller`, `viva-group` and `viva-purpose`; empty text where one is missing.
 *
 * @throws Problem invalid-request for more than 120 characters, or others than printable ASCII: headers
 *   carry nothing else unharmed
 */
export function labelsOf (headers: Headers): Labels {
  return {
    caller: labelOf(headers, 'viva-caller'),
    group: labelOf(headers, 'viva-group'),
    purpose: labelOf(headers, 'viva-purpose')
  }
}

function labelOf (headers: Headers, name: string): string {
  const label = headers[name] ?? ''
  if (typeof label === 'string' && label.length <= labelCharsMax && /^[ -~]*$/.test(label)) return label.trim()
  throw headerFault(name, `is at most ${labelCharsMax} printable ASCII characters`)
}
