/** Formulas: in running text, and displayed with the numbers that LaTeX gives them. */
import { argument, optional, star } from './arguments.ts'
import { stepCounter } from './counters.ts'
import { expandedToken } from './expand.ts'
import { nextToken, peekToken, putBack } from './input.ts'
import { mathText } from './math-text.ts'
import { endParagraph, numberOf } from './paragraphs.ts'
import { textOf, write, type EnvironmentHandler, type Handler, type Reader } from './reader.ts'
import { sourceOf, space, stop, type Token } from './tokens.ts'

const mathMax = 50_000

/**
 * Tokens up to the end, which is consumed; macros expanded. A formula that never ends is cut at a
 * blank line, or where the source ends.
 */
function formula (reader: Reader, isEnd: (token: Token, name: string) => boolean, inline = false): Token[] {
  const { input } = reader
  const content: Token[] = []
  const inner: string[] = []
  for (let depth = 0; content.length < mathMax;) {
    const token = expandedToken(input)
    if (token === undefined) break
    if (token === stop || (inline && token.cs && token.text === 'par')) {
      putBack(input, [token])
      break
    }
    if (!token.cs && token.text === '{') depth++
    if (!token.cs && token.text === '}') depth--
    const isEnvironment = token.cs && (token.text === 'begin' || token.text === 'end')
    const name = isEnvironment ? sourceOf(argument(input)) : ''
    if (depth <= 0 && inner.length === 0 && isEnd(token, name)) return content
    if (!isEnvironment) {
      content.push(token)
      continue
    }
    if (token.text === 'begin') inner.push(name)
    else if (inner.at(-1) === name) inner.pop()
    else if (!endOuter(reader, name)) break
    else continue
    content.push(token, ...[...`{${name}}`].map(text => ({ cs: false, text })))
  }
  return content
}

/** The end of an environment around the formula: what a source defines as such may close the formula. */
function endOuter ({ input, open }: Reader, name: string): boolean {
  const last = open.at(-1)
  if (last?.name === name && last.end !== undefined) {
    open.pop()
    putBack(input, last.end)
    return true
  }
  putBack(input, [{ cs: true, text: 'end' }, ...[...`{${name}}`].map(text => ({ cs: false, text }))])
  return false
}

function inline (isEnd: (token: Token) => boolean): Handler {
  return reader => write(reader, mathText(tidy(reader, formula(reader, isEnd, true)).content))
}

interface Row { content: Token[], keys: string[], tag: string | undefined, isPlain: boolean }

/** Labels, tags and the like taken out of a formula. */
function tidy (reader: Reader, tokens: readonly Token[]): Row {
  const row: Row = { content: [], keys: [], tag: undefined, isPlain: false }
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    const name = token.cs ? token.text : ''
    if (name === 'label' || name === 'tag') {
      const from = tokens.findIndex((other, at) => at > i && !other.cs && other.text === '{')
      const to = tokens.findIndex((other, at) => at > from && !other.cs && other.text === '}')
      if (from === -1 || to === -1) continue
      if (name === 'label') row.keys.push(sourceOf(tokens.slice(from + 1, to)))
      else row.tag = textOf(reader, tokens.slice(from + 1, to))
      i = to
    } else if (name === 'nonumber' || name === 'notag' || name === 'IEEEnonumber') row.isPlain = true
    else if (name === 'eqno' || name === 'leqno') {
      row.tag = textOf(reader, tokens.slice(i + 1)).replaceAll(/[()$]/gu, '').trim()
      break
    } else row.content.push(token)
  }
  return row
}

function rowsOf (tokens: readonly Token[]): Token[][] {
  const rows: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (!token.cs && token.text === '{') depth++
    if (!token.cs && token.text === '}') depth--
    if (token.cs && token.text === 'begin') depth++
    if (token.cs && token.text === 'end') depth--
    if (token.cs && token.text === '\\' && depth === 0) rows.push([])
    else rows.at(-1)!.push(token)
  }
  return rows.filter(row => row.some(token => token !== space))
}

interface Display { numbered: boolean, byRow: boolean }

/** A displayed formula goes into the text, which reads on through it, and among the equations. */
function display (reader: Reader, tokens: readonly Token[], { numbered, byRow }: Display): void {
  const rows = (byRow ? rowsOf(tokens) : [tokens]).map(row => tidy(reader, row))
  let waiting: string[] = []
  const put = (number: string) => {
    const text = waiting.join(' ').replaceAll(/\s*&\s*/gu, ' ').trim()
    waiting = []
    if (text === '') return
    const shown = number === '' ? '' : ` (${number})`
    write(reader, ` $${text}$${shown} `)
    if (reader.started) reader.outline.equations.push({ number, text })
  }
  for (const row of rows) {
    waiting.push(sourceOf(row.content))
    const number = row.tag ?? (numbered && !row.isPlain ? nextNumber(reader) : '')
    for (const key of row.keys) reader.labels.set(key, { counter: 'equation', number })
    if (number !== '') put(number)
  }
  put('')
}

function nextNumber (reader: Reader): string {
  const { subequation, counters } = reader
  if (subequation !== undefined) {
    subequation.count++
    return `${subequation.number}${String.fromCharCode(96 + Math.min(26, subequation.count))}`
  }
  stepCounter(counters, 'equation')
  return numberOf(reader, 'equation')
}

function environment (numbered: boolean, byRow: boolean): EnvironmentHandler {
  return {
    begin (reader, name) {
      if (name.startsWith('IEEEeqn') || name.startsWith('alignat')) {
        optional(reader.input)
        argument(reader.input)
      }
      const content = formula(reader, (token, ended) => token.cs && token.text === 'end' && ended === name)
      reader.open.pop()
      display(reader, content, { numbered, byRow })
    }
  }
}

const isDollar = (token: Token) => !token.cs && token.text === '$'

function dollar (reader: Reader): void {
  const { input } = reader
  const after = peekToken(input)
  if (after === undefined || !isDollar(after)) {
    inline(isDollar)(reader)
    return
  }
  nextToken(input)
  const content = formula(reader, isDollar)
  const end = peekToken(input)
  if (end !== undefined && isDollar(end)) nextToken(input)
  display(reader, content, { numbered: false, byRow: false })
}

const single = ['equation', 'multline', 'dmath', 'math@display']
const many = ['align', 'gather', 'eqnarray', 'flalign', 'alignat', 'IEEEeqnarray', 'xalignat', 'dgroup']

export const mathEnvironments: [string, EnvironmentHandler][] = [
  ...single.flatMap((name): [string, EnvironmentHandler][] => [[name, environment(true, false)], [`${name}*`, environment(false, false)]]),
  ...many.flatMap((name): [string, EnvironmentHandler][] => [[name, environment(true, true)], [`${name}*`, environment(false, true)]]),
  ['displaymath', environment(false, false)],
  ['math', {
    begin (reader) {
      inline(token => token.cs && token.text === 'end')(reader)
      reader.open.pop()
    }
  }],
  ['subequations', {
    begin (reader) {
      stepCounter(reader.counters, 'equation')
      reader.subequation = { number: numberOf(reader, 'equation'), count: 0 }
      reader.current = { counter: 'equation', number: reader.subequation.number }
    },
    end (reader) { reader.subequation = undefined }
  }]
]

export const mathCommands: [string, Handler][] = [
  ['$', dollar],
  ['(', inline(token => token.cs && token.text === ')')],
  ['[', reader => display(reader, formula(reader, token => token.cs && token.text === ']'), { numbered: false, byRow: false })],
  ['ensuremath', reader => write(reader, mathText(argument(reader.input)))],
  ['nicefrac', fraction],
  ['sfrac', fraction],
  ['numberwithin', reader => within(reader)],
  ['counterwithin', reader => within(reader)]
]

function fraction (reader: Reader): void {
  write(reader, `${textOf(reader, argument(reader.input))}/${textOf(reader, argument(reader.input))}`)
}

function within (reader: Reader): void {
  star(reader.input)
  const counter = sourceOf(argument(reader.input))
  reader.counters.within.set(counter, sourceOf(argument(reader.input)))
  endParagraph(reader)
}
