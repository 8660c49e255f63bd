/** Ligatures under codes of the private use area, told by the words they stand in. */
import type { Line } from './line.ts'

const privateCode = /[\uE000-\uF8FF]/g

/** Lines with ligatures spelled out where their words tell them, other private codes removed. */
export function mendLigatures (pages: Line[][]): Line[][] {
  const words = new Set<string>()
  for (const lines of pages) {
    for (const { text } of lines) {
      if (text.search(privateCode) === -1) continue
      for (const [word] of text.matchAll(/[\p{L}\uE000-\uF8FF]{2,40}/gu)) if (/[\uE000-\uF8FF]/.test(word)) words.add(word)
    }
  }
  const known = guessLigatures(words)
  const spell = (text: string) => text.replace(privateCode, code => known.get(code) ?? '')
  return pages.map(lines => lines.flatMap(line => {
    if (line.text.search(privateCode) === -1) return [line]
    const text = spell(line.text)
    return text.trim() === ''
      ? []
      : [{ ...line, text, spans: line.spans.map(span => ({ ...span, text: spell(span.text) })) }]
  }))
}

/** Parts of frequent words that each ligature is found in. */
const stems: [string, RegExp][] = [
  ['fi', /first|find|field|figur|final|fiel|specifi|signifi|defin|identifi|profil|confirm|classifi|benefi|modifi|verifi|scientifi|purifi|refin|config|artifici|infin|five|fill|fiber|film|fine|finit|confid|filter/],
  ['fl', /flow|flexib|influ|reflect|fluid|fluor|flux|conflict|inflat|flat|floor|flag/],
  ['ff', /effect|differ|offer|affect|staff|suffer|buffer|effort|diffus|affin|cutoff|tradeoff/],
  ['ffi', /efficien|coefficien|sufficien|difficult|office|affinit|diffic/],
  ['ffl', /afflu|baffl|waffl/],
  ['ft', /after|often|shift|soft|left|drift|draft|craft|lift|gift|swift/],
  ['tt', /better|attent|setting|matter|little|pattern|attribut|scatter|written|transmitt/],
  ['ti', /tion|time|activ|particl|estimat|multi|optim|statist|until/],
  ['Th', /^(?:The|This|These|There|Then|Thus|Three|Those|They|Through)/]
]

/**
 * Which ligature each unknown code stands for.
 *
 * @param words that hold a private code between letters, each once
 */
export function guessLigatures (words: Iterable<string>): Map<string, string> {
  const byCode = new Map<string, Set<string>>()
  for (const word of words) {
    for (const [code] of word.matchAll(/[\uE000-\uF8FF]/g)) {
      const known = byCode.get(code) ?? new Set()
      if (known.size < 200) byCode.set(code, known.add(word))
    }
  }
  const found = new Map<string, string>()
  for (const [code, own] of byCode) {
    const hits = stems.map(([ligature, stem]) => {
      const matched = [...own].filter(word => hasStem(word.split(code), { ligature, stem })).length
      return { ligature, matched }
    })
    const best = hits.reduce((a, b) => b.matched > a.matched ? b : a)
    if (best.matched > 0 && best.matched >= 0.25 * own.size) found.set(code, best.ligature)
  }
  return found
}

interface Spelling { ligature: string, stem: RegExp }

/** Whether a frequent word appears exactly where the ligature is set in. */
function hasStem (pieces: readonly string[], { ligature, stem }: Spelling): boolean {
  const word = pieces.join(ligature)
  const hit = stem.exec(ligature === 'Th' ? word : word.toLowerCase())
  if (hit === null) return false
  let at = 0
  for (const piece of pieces.slice(0, -1)) {
    at += piece.length
    if (at >= hit.index && at + ligature.length <= hit.index + hit[0].length) return true
    at += ligature.length
  }
  return false
}
