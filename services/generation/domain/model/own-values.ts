/** A paper's own values and names that could stand where a figure's do: what foils are best made of. */
import type { Figure } from '../../../../shared/contracts/document.ts'
import { isUnitSymbol } from '../../../../shared/text/facts.ts'
import { measuredIn } from '../measured.ts'
import { sentencesAbout } from '../pairs.ts'
import type { SourceText } from '../source-text.ts'
import { stockOf } from '../stock.ts'

const unitsMax = 6
const valuesPerUnitMax = 8
const namesMax = 12

/** One line for each unit, one for names, of abstract, captions and its section; some 600 characters. */
export function ownValues (figure: Figure, source: SourceText): string {
  const near = source.sentences.filter(({ passage: { target, sectionId } }) =>
    target.type !== 'paragraph' || sectionId === figure.sectionId)
  const stock = stockOf({ ...source, sentences: near })
  const about = sentencesAbout(figure, source).map(({ sentence: { text } }) => text)
  const units = new Set(about.flatMap(text => measuredIn(text).flatMap(({ unit }) =>
    unit !== undefined && isUnitSymbol(unit) ? unit : [])))
  const lines = [...units].slice(0, unitsMax).flatMap(unit => {
    const values = [...stock.values.get(unit)?.keys() ?? []].slice(0, valuesPerUnitMax)
    return values.length < 2 ? [] : [`${values.join(', ')} ${unit}`]
  })
  const names = [...stock.siblings.keys()].filter(name =>
    name.length <= 30 && about.some(text => text.includes(name)))
  const siblings = new Set(names.flatMap(name => [name, ...stock.siblings.get(name) ?? []]))
  if (siblings.size > 1) lines.push([...siblings].slice(0, namesMax).join(', '))
  return lines.length === 0 ? '(None were found.)' : lines.join('\n')
}
