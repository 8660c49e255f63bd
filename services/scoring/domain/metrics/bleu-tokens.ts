/**
 * The tokens BLEU compares, as sacreBLEU 2.6 cuts them. Python's idea of a blank throughout.
 *
 * @see Post 2018, doi:10.18653/v1/W18-6319
 */
import { splitOnBlanks, trimBlanks, trimEndBlanks } from '../../../../shared/text/python-text.ts'

export const bleuTokenizers = ['13a', 'intl', 'char', 'zh', 'none'] as const
export type BleuTokenizer = (typeof bleuTokenizers)[number]

const cut: Record<BleuTokenizer, (text: string) => string> = {
  '13a': text => {
    const line = text.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ')
    return isolateAscii(` ${unescape(line)} `)
  },
  intl: text => text
    .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
    .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
    .replace(/\p{S}/gu, ' $& '),
  char: text => [...text].join(' '),
  zh: text => isolateAscii(trimBlanks(text).replace(chinese, ' $& ')),
  none: text => text
}

/** The tokens of one segment: end trimmed, lower-cased on request, cut, split on blanks. */
export function bleuTokens (
  segment: string, tokenize: BleuTokenizer, lowercase: boolean
): string[] {
  const text = trimEndBlanks(segment)
  return splitOnBlanks(cut[tokenize](lowercase ? text.toLowerCase() : text))
}

/** In this order, so that "&amp;lt;" ends as "<"; "&apos;" stays. */
function unescape (line: string): string {
  if (!line.includes('&')) return line
  return line.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
}

/** As mteval-v13a: ASCII symbols alone; . and , unless between digits; - after a digit. */
function isolateAscii (line: string): string {
  return line
    .replace(/[{-~[-` -&(-+:-@/]/g, ' $& ')
    .replace(/([^0-9])([.,])/g, '$1 $2 ')
    .replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ')
}

/**
 * What the reference takes for Chinese. U+2001-2A6D and U+2F81-2FA1 are its misreading of two
 * five-digit ranges (dashes, quotes, arrows count; ideographs of extension B do not); kept, for
 * the numbers are to agree.
 */
const chinese = new RegExp('[' +
  '\\u2001-\\u2a6d\\u2e80-\\u2eff\\u2f00-\\u2fdf\\u2ff0-\\u2fff\\u3000-\\u303f\\u3100-\\u312f' +
  '\\u31a0-\\u31bf\\u31c0-\\u31ef\\u3200-\\u33ff\\u3400-\\u4db5\\u4e00-\\u9fbb\\uf900-\\ufa2d' +
  '\\ufa30-\\ufa6a\\ufa70-\\ufad9\\ufe10-\\ufe1f\\ufe30-\\ufe4f\\uff00-\\uffef]', 'g')
