import type { Outline, OutlineSection } from '../outline.ts'

/** Where a walk through the text is: all share it, so that text goes to the newest section. */
export interface Walk { outline: Outline, section: number | null }

export function openSection (walk: Walk, section: Omit<OutlineSection, 'paragraphs'>): void {
  walk.outline.sections.push({ ...section, paragraphs: [] })
  walk.section = walk.outline.sections.length - 1
}

export function addText (walk: Walk, text: string, cites: readonly string[] = []): void {
  if (walk.section === null) openSection(walk, { number: '', title: '', level: 1 })
  walk.outline.sections[walk.section!]!.paragraphs.push({ text, cites })
}
