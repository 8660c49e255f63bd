/**
 * A list as Python prints it: ['a', "b's"], which pandas writes into the cells of a CSV, and ['a' 'b'] over
 * several lines, as NumPy prints an array of it.
 */

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '\'': '\'', '"': '"' }
/** A string in either quote, or a number. */
const literal = /'((?:[^'\\\n]|\\[^])*)'|"((?:[^"\\\n]|\\[^])*)"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\]])/y
const between = /\s*,\s*|\s+/y

/** @returns undefined for what is no such list, nested ones too: nothing of it is guessed */
export function pythonList (text: string): string[] | undefined {
  const list = text.trim().replace(/^array\(\s*/, '').replace(/(?:,\s{0,20}dtype=\w{1,20})?\)$/, '')
  if (!list.startsWith('[') || !list.endsWith(']')) return undefined
  const found: string[] = []
  let at = 1 + (/^\s*/.exec(list.slice(1))?.[0].length ?? 0)
  while (at < list.length - 1) {
    literal.lastIndex = at
    const [whole, single, double, number] = literal.exec(list) ?? []
    const entry = number ?? unescaped(single ?? double ?? '')
    if (whole === undefined || entry === undefined) return undefined
    found.push(entry)
    between.lastIndex = at + whole.length
    const separator = between.exec(list)?.[0] ?? ''
    at += whole.length + separator.length
    if (separator === '' && at < list.length - 1) return undefined
  }
  return found
}

function unescaped (text: string): string | undefined {
  let isUnknown = false
  const plain = text.replace(/\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])/g, found => {
    const code = /^\\[xuU]([\da-fA-F]+)$/.exec(found)?.[1]
    // Python keeps a backslash before what it does not know, as in LaTeX.
    if (code === undefined) return escapes[found[1]!] ?? found
    isUnknown ||= parseInt(code, 16) > 0x10FFFF
    return isUnknown ? '' : String.fromCodePoint(parseInt(code, 16))
  })
  return isUnknown ? undefined : plain
}
