/** Letters as Unicode tags (U+E0000 to U+E007F) are shown by no font, but models read them. */
import type { DocumentWarning } from '../../../shared/contracts/document.ts'
import type { Outline } from './outline.ts'

const excerptMax = 300

/** @returns one warning that says what stood there, or none; the text itself loses them elsewhere */
export function tagWarning ({ title, abstract, sections, figures, tables }: Outline): DocumentWarning[] {
  const texts = [
    title, abstract?.text ?? '', ...sections.flatMap(({ title, paragraphs }) => [title, ...paragraphs.map(({ text }) => text)]),
    ...[...figures, ...tables].map(({ caption }) => caption)
  ]
  let hidden = ''
  for (const text of texts) {
    for (const [run] of text.matchAll(/[\u{E0000}-\u{E007F}]+/gu)) {
      for (const tag of run) hidden += String.fromCharCode(tag.codePointAt(0)! - 0xE0000)
      if (hidden.length > excerptMax) break
    }
  }
  // eslint-disable-next-line no-control-regex -- tags stand for control codes too
  const shown = hidden.replace(/[\u0000-\u001F\u007F]+/g, ' ').trim().slice(0, excerptMax)
  if (shown === '') return []
  return [{ code: 'hidden-text', detail: `Left out, because readers of the page cannot see it (Unicode tags): "${shown}"` }]
}
