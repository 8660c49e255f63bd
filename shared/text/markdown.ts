/**
 * A document as Markdown (CommonMark with GFM tables). Text of a paper is data: every character
 * that could start a construct is escaped, so nothing in a paper becomes a heading, HTML, a link,
 * an image or mathematics. (A renderer that turns bare addresses into links after parsing does so
 * with any text.)
 */
import type { Document, Figure, Section, Table } from '../contracts/document.ts'

export function markdownOf (document: Document): string {
  const { title, authors, abstract, sections, figures, tables } = document
  const blocks = [
    title === '' ? '' : `# ${escaped(title)}`,
    authors.map(({ name }) => escaped(name)).join(', '),
    ...abstract === null ? [] : ['## Abstract', escaped(abstract.text)],
    ...sections.flatMap(section => [
      ...sectionBlocks(section),
      ...floatBlocks(
        figures.filter(({ sectionId }) => sectionId === section.id),
        tables.filter(({ sectionId }) => sectionId === section.id))
    ]),
    ...floatBlocks(
      figures.filter(({ sectionId }) => sectionId === null),
      tables.filter(({ sectionId }) => sectionId === null)),
    ...listBlock('Equations', document.equations.map(({ number, text }) => `${number} ${text}`)),
    ...listBlock('Footnotes', document.footnotes.map(({ text }) => text)),
    ...listBlock('References', document.references.map(({ label, text }) => `${label} ${text}`))
  ]
  return `${blocks.filter(block => block !== '').join('\n\n')}\n`
}

function sectionBlocks ({ number, title, level, paragraphs }: Section): string[] {
  const heading = escaped(`${number} ${title}`)
  return [
    heading === '' ? '' : `${'#'.repeat(Math.min(6, level + 1))} ${heading}`,
    ...paragraphs.map(({ text }) => escaped(text))
  ]
}

function floatBlocks (figures: readonly Figure[], tables: readonly Table[]): string[] {
  return [
    // The address is ours, relative to …/document.md.
    ...figures.flatMap(({ id, label, caption, imageId }) => [
      // A source without pictures has captions alone.
      imageId === null ? '' : `![${escaped(label)}](figures/${encodeURIComponent(id).replaceAll(/[()]/gu, '')}/image)`,
      captionBlock(label, caption)
    ]),
    ...tables.flatMap(({ label, caption, rows }) => [captionBlock(label, caption), tableBlock(rows ?? [])])
  ]
}

function captionBlock (label: string, caption: string): string {
  const name = escaped(label)
  return [name === '' ? '' : `**${name}**`, escaped(caption)].filter(part => part !== '').join(' ')
}

function tableBlock (rows: ReadonlyArray<readonly string[]>): string {
  const width = Math.max(0, ...rows.map(row => row.length))
  if (width === 0) return ''
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, i) => escaped(cells[i] ?? '')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
}

function listBlock (name: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`## ${name}`, entries.map(entry => `- ${escaped(entry)}`).join('\n')]
}

/** Text on one line that Markdown shows as it is. */
export function escaped (text: string): string {
  return text
    // White space first: a line break could start a block, control characters have no business here.
    .replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
    .replaceAll(/[\\`*_[\]<>&~|$^@]/gu, '\\$&')
    // Bare addresses, which GFM would link: "http://", "mailto:x", "www.".
    .replaceAll(/:(?=\S)/gu, '\\:')
    .replaceAll(/\bwww\./giu, match => `${match.slice(0, -1)}\\.`)
    // What means something only where a line begins: #, +, -, = and "1." or "1)".
    .replace(/^[#+=-]/u, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/u, '$1\\$2')
}
