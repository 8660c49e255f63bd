/** Lists, theorems, quotations, listings and algorithms: paragraphs with a name of their own. */
import { argument, optional, star } from './arguments.ts'
import { formatted, stepCounter } from './counters.ts'
import { definingCommands, type Definitions } from './definitions.ts'
import { putBack, rawSource } from './input.ts'
import { endParagraph, numberOf } from './paragraphs.ts'
import { textOf, write, type EnvironmentHandler, type Handler, type Reader } from './reader.ts'
import { signatures } from './signatures.ts'
import { sourceOf, type Token } from './tokens.ts'

function list (kind: Reader['lists'][number]): EnvironmentHandler {
  return {
    begin (reader) {
      endParagraph(reader)
      reader.lists.push(kind)
      if (kind === 'number') reader.counters.values.set(`item${reader.lists.length}`, 0)
    },
    end (reader) {
      endParagraph(reader)
      reader.lists.pop()
    }
  }
}

function item (reader: Reader): void {
  const own = optional(reader.input)
  endParagraph(reader)
  const kind = reader.lists.at(-1)
  if (own !== undefined) write(reader, `${textOf(reader, own)} `)
  else if (kind === 'bullet') write(reader, '• ')
  else if (kind === 'number') {
    const depth = reader.lists.length
    const counter = `item${depth}`
    stepCounter(reader.counters, counter)
    const value = reader.counters.values.get(counter)!
    const form = reader.lists.filter(other => other === 'number').length
    const number = formatted(value, ['arabic', 'alph', 'roman', 'Alph'][form - 1] ?? 'arabic')
    reader.current = { counter: 'item', number }
    write(reader, form === 2 ? `(${number}) ` : `${number}. `)
  }
}

const apart: EnvironmentHandler = { begin: endParagraph, end: endParagraph }

/** What no source may make a theorem of. */
const structural = new Set(['document', 'figure', 'table', 'abstract', 'equation', 'align', 'tabular', 'thebibliography'])

/** `\newtheorem{lemma}[theorem]{Lemma}[section]` */
function newTheorem (reader: Reader): void {
  const { input, counters } = reader
  const starred = star(input)
  const name = sourceOf(argument(input))
  const shared = optional(input)
  const title = textOf(reader, argument(input))
  const outer = optional(input)
  if (structural.has(name)) return
  const counter = shared === undefined ? name : sourceOf(shared)
  if (outer !== undefined) counters.within.set(counter, sourceOf(outer))
  reader.environmentHandlers.set(name, {
    begin (inner) {
      endParagraph(inner)
      const note = optional(inner.input)
      if (!starred) {
        stepCounter(inner.counters, counter)
        inner.current = { counter: name, number: numberOf(inner, counter) }
      }
      const number = starred ? '' : ` ${inner.current.number}`
      write(inner, `${title}${number}${note === undefined ? '' : ` (${textOf(inner, note)})`}. `)
    },
    end: endParagraph
  })
}

/** Environments whose content is not LaTeX. */
const verbatim: EnvironmentHandler = {
  begin (reader, name) {
    const raw = rawSource(reader.input)?.rawUntil(`\\end{${name}}`)
    reader.open.pop()
    endParagraph(reader)
    write(reader, (raw ?? '').replace(/^\s*\[[^\]\n]{0,300}\]/u, '').slice(0, 20_000))
    endParagraph(reader)
  }
}

/** Drawings by commands, and text that its author took out. */
const dropped: EnvironmentHandler = {
  begin (reader, name) {
    const source = rawSource(reader.input)
    if (source === undefined) skipTokens(reader, name)
    else source.rawUntil(`\\end{${name}}`)
    reader.open.pop()
  }
}

/** Inside the argument of a command there is no source to skip in. */
function skipTokens (reader: Reader, name: string): void {
  const sink = reader.sink
  reader.sink = { flows: false, text: '', cites: [] }
  reader.open.push({ name, close: inner => { inner.sink = sink } })
}

function verb (reader: Reader): void {
  star(reader.input)
  const source = rawSource(reader.input)
  if (source === undefined) return
  write(reader, source.rawUntil(source.rawCharacter()))
}

/** Commands of algorithms: what stands before their argument and after it. */
const algorithmic: Record<string, [before: string, after: string]> = {
  State: ['', ''],
  STATE: ['', ''],
  If: ['if ', ' then'],
  IF: ['if ', ' then'],
  ElsIf: ['else if ', ' then'],
  ELSIF: ['else if ', ' then'],
  For: ['for ', ' do'],
  FOR: ['for ', ' do'],
  ForAll: ['for all ', ' do'],
  FORALL: ['for all ', ' do'],
  While: ['while ', ' do'],
  WHILE: ['while ', ' do'],
  Until: ['until ', ''],
  UNTIL: ['until ', ''],
  Comment: ['▷ ', ''],
  COMMENT: ['▷ ', '']
}
const algorithmicWords: Record<string, string> = {
  Else: 'else', ELSE: 'else', EndIf: 'end if', ENDIF: 'end if', EndFor: 'end for', ENDFOR: 'end for', EndWhile: 'end while', ENDWHILE: 'end while', Repeat: 'repeat', REPEAT: 'repeat', Require: 'Require:', REQUIRE: 'Require:', Ensure: 'Ensure:', ENSURE: 'Ensure:', Return: 'return', RETURN: 'return', KwIn: 'Input:', KwOut: 'Output:', KwResult: 'Result:', KwData: 'Data:', Input: 'Input:', Output: 'Output:'
}

const algorithm: EnvironmentHandler = {
  begin (reader) {
    endParagraph(reader)
    stepCounter(reader.counters, 'algorithm')
    const number = numberOf(reader, 'algorithm')
    reader.current = { counter: 'algorithm', number }
    const { float } = reader
    reader.float = undefined
    const caption: Handler = inner => {
      optional(inner.input)
      write(inner, ` Algorithm ${number}: ${textOf(inner, argument(inner.input))}. `)
    }
    const { handlers } = reader
    reader.handlers = new Map([...handlers, ['caption', caption]])
    reader.open.at(-1)!.close = inner => {
      endParagraph(inner)
      inner.float = float
      inner.handlers = handlers
    }
  }
}

export function definitionsOf (reader: Reader): Definitions {
  return {
    environments: reader.environments,
    isReserved (name) {
      if (reader.handlers.has(name)) return true
      const inPackage = /\.(?:sty|cls)$/u.test(reader.input.frames.findLast(({ file }) => file !== undefined)?.file ?? '')
      return inPackage && (name.includes('@') || signatures.has(name))
    }
  }
}

function named<T> (names: readonly string[], value: T): [string, T][] {
  return names.map(name => [name, value])
}

export const blockEnvironments: [string, EnvironmentHandler][] = [
  ...named(['itemize', 'compactitem', 'list', 'trivlist', 'inparaitem', 'itemize*'], list('bullet')),
  ...named(['enumerate', 'compactenum', 'inparaenum', 'enumerate*', 'Enumerate'], list('number')),
  ...named(['description', 'labeling'], list('word')),
  ...named(['quote', 'quotation', 'center', 'verse', 'flushleft', 'flushright', 'tcolorbox', 'mdframed', 'framed', 'algorithmic', 'tablenotes', 'multicols'], apart),
  ['proof', {
    begin (reader) {
      endParagraph(reader)
      const own = optional(reader.input)
      write(reader, own === undefined ? 'Proof. ' : `${textOf(reader, own)}. `)
    },
    end: endParagraph
  }],
  ...named(['verbatim', 'verbatim*', 'Verbatim', 'lstlisting', 'minted', 'alltt', 'BVerbatim', 'lstlisting*'], verbatim),
  ...named(['comment', 'tikzpicture', 'pgfpicture', 'picture', 'filecontents', 'filecontents*', 'CCSXML', 'axis', 'tikzcd', 'keywords', 'keyword', 'IEEEkeywords', 'feynman', 'asy', 'pspicture', 'IEEEbiography', 'IEEEbiographynophoto', 'thenomenclature'], dropped),
  ...named(['algorithm', 'algorithm*', 'algorithm2e'], algorithm)
]

export const blockCommands: [string, Handler][] = [
  ['item', item],
  ['newtheorem', newTheorem],
  ['spnewtheorem', newTheorem],
  ['verb', verb],
  ['lstinline', verb],
  ...[...definingCommands].map(([name, defining]) => [name, (reader: Reader) => {
    defining(reader.input, definitionsOf(reader))
  }] as [string, Handler]),
  ...Object.entries(algorithmic).map(([name, [before, after]]) => [name, (reader: Reader) => {
    if (name.toLowerCase() === 'state') {
      write(reader, ' ')
      return
    }
    write(reader, ` ${before}${textOf(reader, argument(reader.input))}${after} `)
  }] as [string, Handler]),
  ...Object.entries(algorithmicWords).map(([name, word]) => [name, (reader: Reader) => write(reader, ` ${word} `)] as [string, Handler]),
  ['ifthenelse', choose],
  ['iftoggle', choose],
  ['SI', quantity],
  ['qty', quantity],
  ['num', reader => write(reader, numberText(sourceOf(withoutOption(reader))))],
  ['si', reader => write(reader, textOf(reader, withoutOption(reader)))],
  ['unit', reader => write(reader, textOf(reader, withoutOption(reader)))],
  ['ang', reader => write(reader, `${numberText(sourceOf(withoutOption(reader)))}°`)]
]

/** Its condition is not decided: the second branch is what the first is an exception of. */
function choose (reader: Reader): void {
  argument(reader.input)
  argument(reader.input)
  putBack(reader.input, argument(reader.input))
}

function withoutOption (reader: Reader): Token[] {
  optional(reader.input)
  return argument(reader.input)
}

function quantity (reader: Reader): void {
  const amount = numberText(sourceOf(withoutOption(reader)))
  write(reader, `${amount} ${textOf(reader, argument(reader.input))}`)
}

function numberText (text: string): string {
  const power = /^(.{0,30}?)[eE]([+-]?\d{1,4})$/u.exec(text.trim())
  return power === null ? text.trim() : `${power[1]} × 10^${power[2]}`
}
