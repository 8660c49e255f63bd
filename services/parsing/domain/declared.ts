/** What the part of a form says its file is, where that counts: Markdown and plain text. */
import type { Declared } from './recognise.ts'

/**
 * RFC 7578 (4.4) makes text/plain of a part without a Content-Type, and so does our reader of forms: who
 * sent `login.pdf` that way declared nothing. So text/plain counts only beside a name that fits it.
 *
 * @returns undefined where nothing is declared: the bytes alone decide then
 */
export function declaredBy ({ filename = '', mimetype }: { filename?: string, mimetype: string }): Declared {
  if (mimetype === 'text/markdown' || mimetype === 'text/x-markdown') return 'markdown'
  if (mimetype !== 'text/plain') return undefined
  if (/\.(?:md|markdown)$/iu.test(filename)) return 'markdown'
  return /\.(?:txt|text)$/iu.test(filename) ? 'text' : undefined
}
