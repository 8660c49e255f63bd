import type { Document } from '../../../../shared/contracts/document.ts'

/** The text of a place, blank lines between paragraphs; of a figure, its caption and what mentions it. */
export function textOfPlace (place: string, document: Document): string {
  if (place === 'abstract') return document.abstract?.text ?? ''
  const figure = document.figures.find(({ id }) => id === place)
  if (figure !== undefined) {
    const mentioned = new Set(figure.mentions.map(({ paragraphId }) => paragraphId))
    const paragraphs = document.sections.flatMap(section => section.paragraphs)
      .filter(({ id }) => mentioned.has(id))
    return [figure.caption, ...paragraphs.map(({ text }) => text)].filter(Boolean).join('\n\n')
  }
  const section = document.sections.find(({ id }) => id === place)
  return section?.paragraphs.map(({ text }) => text).join('\n\n') ?? ''
}

/** All running text and captions; references and acknowledgements are not what papers claim. */
export function textOfPaper (document: Document): string {
  return [
    document.abstract?.text ?? '',
    ...document.sections
      .filter(({ kind }) => kind !== 'references' && kind !== 'acknowledgements')
      .flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text)),
    ...document.figures.map(({ caption }) => caption),
    ...document.tables.map(({ caption }) => caption)
  ].filter(Boolean).join('\n\n')
}
