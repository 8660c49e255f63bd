/**
 * What stands in a paper's file but is no part of its text: the table of contents, which says all
 * headings twice, and the reviewers' reports that open-review journals print behind the references.
 */
import type { Heading } from './headings.ts'
import type { Line } from './line.ts'
import { kindOf, plainTitle } from './section-kind.ts'

const contentsTitle = /^(?:(?:table of )?contents|\uBAA9 ?\uCC28|\u76EE ?\u5F55|\u76EE ?\u6B21|inhalt(?:sverzeichnis)?|sommaire)$/i
/** Leaders and a page number, or a number alone. */
const entry = /(?:[.\u2026]\s*){3,}\d{0,4}\s*$|[\p{L})]\s*\.?\s+\d{1,4}\s*$|^\s*\d{1,4}\s*$/u
const entriesMin = 3
/** Entries break over lines, and their numbers may stand apart. */
const linesBetween = 3

/** @param flow lines of running text in reading order */
export function findContents (flow: readonly Line[]): Set<Line> {
  const at = flow.findIndex(line => line.page <= 4 && contentsTitle.test(plainTitle(line.text.trim())))
  if (at === -1) return new Set()
  let last = at
  let entries = 0
  for (let i = at + 1; i < Math.min(flow.length, at + 400) && i - last <= linesBetween; i++) {
    if (!entry.test(flow[i]!.text)) continue
    entries++
    last = i
  }
  return new Set(entries >= entriesMin ? flow.slice(at, last + 1) : [])
}

const reports = /^(?:open peer review|(?:current )?peer review(?: status| reports?| history| file| information)?|(?:reviewers?|referees?)['\u2019]?s? (?:reports?|comments)(?: \d.*)?|decision letter.*|author response|comments on this article)$/

/** The heading behind the references from which on reviewers speak; undefined in most papers. */
export function findReports (headings: readonly Heading[]): Heading | undefined {
  const list = headings.findIndex(({ title }) => kindOf(title) === 'references')
  const behind = list === -1 ? [] : headings.slice(list + 1)
  return behind.find(({ title }) => reports.test(plainTitle(title)))
}
