/** Our document with the LaTeX that Mathpix reads in the displayed equations we found. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { DocumentDraft } from '../../parser.ts'
import type { Box } from '../page-glyphs.ts'
import { conflict } from './conflicts.ts'
import { withWarnings } from './grobid.ts'
import { listIn, numberIn, recordIn, textIn } from './loose.ts'
import { overlapOf } from './overlap.ts'

interface Displayed { page: number, box: Box, latex: string, number: string }

const latexCharsMax = 20_000

/** @param value Mathpix's lines.json, unchecked; what is not as expected is as if it were not there */
export function mergeMathpix (document: DocumentDraft, value: unknown): DocumentDraft {
  const displayed = listIn(recordIn(value).pages).flatMap(page => equationsIn(recordIn(page), document.pages))
  const used = new Set<Displayed>()
  const warnings: Document['warnings'] = []
  const equations = document.equations.map(equation => {
    const here = displayed.filter(({ page, box }) =>
      page === equation.page && overlapOf(box, equation.box as Box) >= 0.5)
    for (const each of here) used.add(each)
    const numbers = here.map(({ number }) => number).filter(number => number !== '')
    const own = equation.number.replaceAll(/[()[\]\s]/gu, '')
    if (numbers.length > 0 && own !== '' && !numbers.includes(own)) {
      warnings.push(conflict(`Mathpix reads the number of equation ${own} as ${numbers.join(', ').slice(0, 100)}; ours is kept.`, equation.page))
    }
    // Several of theirs in one of ours: which belongs is not certain, their order is.
    const latex = here.map(each => each.latex).join(' \\\\ ')
    return latex === '' ? equation : { ...equation, latex }
  })
  const lost = displayed.filter(each => each.number !== '' && !used.has(each))
  if (lost.length > 0) warnings.push(conflict(`Mathpix finds numbered equations that we do not: ${lost.map(({ number }) => number).join(', ').slice(0, 200)}.`))
  return withWarnings({ ...document, equations }, warnings)
}

function equationsIn (page: Record<string, unknown>, pages: Document['pages']): Displayed[] {
  const number = numberIn(page.page) ?? 0
  const size = pages[number - 1]
  const [width, height] = [numberIn(page.page_width), numberIn(page.page_height)]
  if (size === undefined || width === undefined || height === undefined) return []
  if (width <= 0 || height <= 0) return []
  const [across, down] = [size.width / width, size.height / height]
  return listIn(page.lines).map(recordIn).flatMap((line): Displayed[] => {
    const latex = displayedLatex(textIn(line.text))
    const { top_left_x: x, top_left_y: y, width: w, height: h } = recordIn(line.region)
    const [left, top, wide, high] = [x, y, w, h].map(numberIn)
    if (latex === '' || [left, top, wide, high].includes(undefined)) return []
    const box: Box = [left! * across, top! * down, (left! + wide!) * across, (top! + high!) * down]
    return [{ page: number, box, latex, number: /\\tag\*?\{\(?([^{}()]{1,20})\)?\}/u.exec(latex)?.[1]?.trim() ?? '' }]
  })
}

/** What stands between the marks of a displayed equation; empty for text, also with inline formulas. */
function displayedLatex (line: string): string {
  const text = line.trim().slice(0, latexCharsMax)
  for (const [open, close] of [['\\[', '\\]'], ['$$', '$$']] as const) {
    if (text.startsWith(open) && text.endsWith(close) && text.length > 4) return text.slice(2, -2).trim()
  }
  return text.startsWith('\\begin{') && !text.startsWith('\\begin{tabular') ? text : ''
}
