/** What a model puts around and into the words of a paper when it writes them down. */

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ', '&#91;': '[', '&#93;': ']' }
const ascii: Readonly<Record<string, string>> = { '<=': '≤', '>=': '≥', '+/-': '±', '->': '→', '~': '∼' }
const tag = /<\/?(?:i|b|em|strong|u|sub)>|(?<=\p{L})<sup>|(?<=\p{L}<sup>[\d−-]{1,3})<\/sup>/giu
/** Asterisks and underscores at the edges of words; "2*3", "a_b" and "p < 0.05*" keep theirs. */
const emphasis = /(?<![\p{L}\p{N}*_.,])(?:\*{1,3}|_{1,3})(?=\p{L})|(?<=\p{L}[.,;:]?)(?:\*{1,3}|_{1,3})(?![\p{L}\p{N}*_])/gu

/** Plain text of Markdown and HTML, signs for ASCII: to be tried where the text as given is not found. */
export function withoutMarkup (text: string): string {
  return text.replace(tag, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp|#91|#93);/gu, found => entities[found] ?? found)
    .replaceAll(emphasis, '')
    .replaceAll(/<=|>=|\+\/-|->|~/gu, found => ascii[found] ?? found)
    .replaceAll(/(?<=\d)x(?=\s|$)/gu, '×')
}
