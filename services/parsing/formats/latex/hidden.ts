/** Text set in the colour of the paper: no reader sees it, and it could steer a model. */
import { argument, optional } from './arguments.ts'
import { putBack } from './input.ts'
import { textOf, warn, type Handler, type Reader } from './reader.ts'
import { sourceOf } from './tokens.ts'

const excerptMax = 300

/** `\textcolor`; in cells of tables white is common, on a ground of their own. */
function colouredText (reader: Reader): void {
  const model = sourceOf(optional(reader.input) ?? [])
  const colour = sourceOf(argument(reader.input))
  const content = argument(reader.input)
  if (reader.inCell || !isWhite(model, colour)) return putBack(reader.input, content)
  const text = textOf(reader, content).slice(0, excerptMax)
  if (text === '') return
  warn(reader, 'hidden-text', `Left out, because readers of the page cannot see it (in the colour of its ground): "${text}"`)
}

/** White by name or by number, in the models of xcolor. */
function isWhite (model: string, colour: string): boolean {
  const plain = colour.replaceAll(/\s/gu, '').toLowerCase()
  if (model.trim() === '') return plain === 'white'
  if (/^html$/iu.test(model.trim())) return plain === 'ffffff'
  const parts = plain.split(',').map(Number)
  const full = model.trim() === 'RGB' ? 255 : model.trim() === 'cmyk' ? 0 : 1
  return parts.length > 0 && parts.every(part => part === full)
}

export const hiddenCommands: [string, Handler][] = [['textcolor', colouredText]]
