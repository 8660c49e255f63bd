/** The front of a paper: class, title, authors, abstract; and where the document begins and ends. */
import { argument, optional, skipSpaces, star } from './arguments.ts'
import { endFile, nextToken, openSource, peekToken } from './input.ts'
import { endParagraph, namedSection } from './paragraphs.ts'
import { textOf, typeset, warn, write, type EnvironmentHandler, type FrontPart, type Handler, type Reader } from './reader.ts'
import { sourceOf, stop, type Token } from './tokens.ts'

/** What classes set otherwise than `article`: names of floats, forms of numbers. */
const classes: [pattern: RegExp, source: string, figure: string][] = [
  [/^revtex|^aip|^apsrev/u, '\\def\\thesection{\\Roman{section}}\\def\\thesubsection{\\thesection-\\Alph{subsection}}\\def\\thesubsubsection{\\thesubsection-\\arabic{subsubsection}}\\def\\thetable{\\Roman{table}}', 'Fig.'],
  [/^IEEE|^ieee/u, '\\def\\thesection{\\Roman{section}}\\def\\thesubsection{\\thesection-\\Alph{subsection}}\\def\\thesubsubsection{\\thesubsection-\\arabic{subsubsection}}\\def\\thetable{\\Roman{table}}', 'Fig.'],
  [/^llncs|^svproc|^svmult/u, '\\setcounter{secnumdepth}{2}', 'Fig.'],
  [/^svjour|^sn-jnl|^aa$|^spie|^iopart|^mnras/u, '', 'Fig.'],
  [/^(?:report|book|scrbook|scrreprt|memoir|thesis)$/u, '\\counterwithin{section}{chapter}\\counterwithin{figure}{chapter}\\counterwithin{table}{chapter}\\counterwithin{equation}{chapter}\\setcounter{secnumdepth}{2}', 'Figure']
]

function documentClass (reader: Reader): void {
  const options = sourceOf(optional(reader.input) ?? [])
  const name = sourceOf(argument(reader.input))
  reader.names.documentClass = name
  for (const option of options.split(',')) reader.names.options.add(option.trim())
  const own = classes.find(([pattern]) => pattern.test(name))
  if (own !== undefined) {
    reader.names.figure = own[2]
    if (own[2] === 'Fig.' && /^(?:revtex|IEEE)/u.test(name)) reader.names.table = 'Table'
    openSource(reader.input, own[1])
  }
  readPackage(reader, name, ['.cls'])
}

function usePackage (reader: Reader): void {
  const options = sourceOf(optional(reader.input) ?? [])
  const names = sourceOf(argument(reader.input)).split(',').map(name => name.trim())
  for (const name of names) {
    if (name === 'natbib' || name === 'biblatex') {
      reader.names.options.add(name)
      for (const option of options.split(',')) reader.names.options.add(`${name}:${option.trim()}`)
    }
    readPackage(reader, name, ['.sty'])
  }
}

/** A package beside the paper may define what its text uses. */
function readPackage ({ input, project }: Reader, name: string, extensions: readonly string[]): void {
  const found = project.find(name, extensions)
  if (found === undefined || input.frames.some(({ file }) => file === found)) return
  openSource(input, `\\makeatletter ${project.text(found)}\n\\makeatother `, found)
}

function title (reader: Reader): void {
  star(reader.input)
  optional(reader.input)
  const text = textOf(reader, argument(reader.input))
  if (reader.outline.title === '') reader.outline.title = text
}

function part (kind: FrontPart['kind'], hasMarks = true): Handler {
  return reader => {
    star(reader.input)
    const option = optional(reader.input)
    const marks = hasMarks && option !== undefined ? textOf(reader, option) : ''
    const text = authorText(reader, argument(reader.input))
    if (/[\p{L}]/u.test(text) && reader.front.length < 2_000) reader.front.push({ kind, text, marks })
  }
}

/** Text in which line breaks, "and" and raised marks still can be told. */
function authorText (reader: Reader, tokens: readonly Token[]): string {
  const before = reader.inAuthors
  reader.inAuthors = true
  const text = textOf(reader, tokens)
  reader.inAuthors = before
  return text
}

function mark (reader: Reader): void {
  const text = textOf(reader, argument(reader.input))
  write(reader, reader.inAuthors ? `\uE012${text}\uE013` : scriptText(text))
}

function scriptText (text: string): string {
  return /^\d+$/u.test(text) ? [...text].map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]!).join('') : text
}

function and (reader: Reader): void {
  write(reader, reader.inAuthors ? '\uE011' : ' and ')
}

function footnote (reader: Reader): void {
  optional(reader.input)
  const wasInAuthors = reader.inAuthors
  reader.inAuthors = false
  const text = textOf(reader, argument(reader.input))
  reader.inAuthors = wasInAuthors
  if (text !== '' && reader.outline.footnotes.length < 2_000) reader.outline.footnotes.push({ text })
}

const abstractEnvironment: EnvironmentHandler = {
  begin (reader) {
    endParagraph(reader)
    const outer = reader.sink
    const sink = { flows: false, text: '', cites: [] as string[] }
    reader.sink = sink
    reader.open.at(-1)!.close = () => {
      reader.sink = outer
      addAbstract(reader, sink.text)
    }
  }
}

function addAbstract (reader: Reader, text: string): void {
  if (/\p{L}/u.test(text)) reader.abstract.push(typeset(text).replaceAll(/\s+/gu, ' ').trim())
}

/** `\abstract{…}`; the one of Astronomy & Astrophysics has five parts. */
function abstractCommand (reader: Reader): void {
  const { input } = reader
  skipSpaces(input)
  const after = peekToken(input)
  if (after === undefined || after.cs || after.text !== '{') return
  const parts = reader.names.documentClass === 'aa' ? 5 : 1
  const texts = Array.from({ length: parts }, () => textOf(reader, argument(input)))
  addAbstract(reader, texts.join(' '))
}

const documentEnvironment: EnvironmentHandler = {
  begin (reader) {
    if (reader.started) return
    reader.started = true
    reader.sink.text = ''
    reader.sink.cites = []
  },
  end (reader) {
    endParagraph(reader)
    reader.input.frames.length = 0
  }
}

/** `\input`: another file of the archive, read in place. Nothing else is ever opened. */
function inputFile (reader: Reader, folder = ''): void {
  const name = folder + fileName(reader)
  const { input, project } = reader
  const found = project.find(name, ['.tex', '', '.ltx', '.bbl', '.sty'])
  const open = input.frames.flatMap(({ file }) => file ?? [])
  if (found === undefined || open.includes(found) || open.length > 20) {
    if (name !== '') warn(reader, 'latex-input-missing', `\\input{${name.slice(0, 100)}} names no file of the archive${found === undefined ? '' : ', or one that is being read'}; it was left out.`)
    return
  }
  const text = project.text(found)
  const body = /\\begin\s*\{document\}([\s\S]*?)(?:\\end\s*\{document\}|$)/u.exec(text)?.[1]
  openSource(input, body ?? text, found)
}

/** In braces, or up to a space. */
function fileName ({ input }: Reader): string {
  skipSpaces(input)
  const first = peekToken(input)
  if (first !== undefined && !first.cs && first.text === '{') return sourceOf(argument(input))
  let name = ''
  for (let i = 0; i < 300; i++) {
    const token = peekToken(input)
    if (token === undefined || token === stop || token.cs || /\s/u.test(token.text)) break
    name += nextToken(input)!.text
  }
  return name
}

/** `\twocolumn[ … ]`: the title block of some classes. The bracket that closes it is no text. */
function twoColumn ({ input }: Reader): void {
  skipSpaces(input)
  if (peekToken(input)?.text === '[') nextToken(input)
}

/** xspace: a space unless punctuation follows, which TeX took with the name of the macro. */
function wordSpace (reader: Reader): void {
  const next = peekToken(reader.input)
  if (next === undefined || next === stop) return
  const joins = next.cs ? /^(?:[^A-Za-z]|footnote|xspace|par)/u : /^[\s{}.,'/?;:!~)\]-]/u
  if (!joins.test(next.text)) write(reader, ' ')
}

function named<T> (names: readonly string[], value: T): [string, T][] {
  return names.map(name => [name, value])
}

export const frontEnvironments: [string, EnvironmentHandler][] = [
  ...named(['abstract', 'Abstract', 'onecolabstract', 'IEEEabstract', 'abstr'], abstractEnvironment),
  ['document', documentEnvironment],
  ...named(['acknowledgments', 'acknowledgements', 'acknowledgment', 'acknowledgement', 'acks', 'ack'], {
    begin: (reader: Reader) => { namedSection(reader, 'Acknowledgments', 'acknowledgements') }
  })
]

export const frontCommands: [string, Handler][] = [
  ['documentclass', documentClass],
  ['documentstyle', documentClass],
  ['usepackage', usePackage],
  ['RequirePackage', usePackage],
  ...named(['title', 'icmltitle', 'TITLE', 'Title'], title),
  ['subtitle', reader => {
    const text = textOf(reader, argument(reader.input))
    if (text !== '' && reader.outline.title !== '') reader.outline.title += `: ${text}`
  }],
  ...named(['author', 'Author', 'authors', 'AUTHOR'], part('author')),
  ['icmlauthor', reader => {
    const text = authorText(reader, argument(reader.input))
    reader.front.push({ kind: 'author', text, marks: sourceOf(argument(reader.input)) })
  }],
  ['icmlaffiliation', reader => {
    const marks = sourceOf(argument(reader.input))
    reader.front.push({ kind: 'affiliation', marks, text: authorText(reader, argument(reader.input)) })
  }],
  ...named(['affil', 'affiliation', 'address', 'institute', 'institution@', 'altaffiliation', 'affiliations', 'institutions'], part('affiliation')),
  ...named(['institution', 'department', 'city', 'country', 'state', 'streetaddress', 'postcode', 'position', 'orgname', 'orgdiv', 'orgaddress', 'street'], (reader: Reader) => {
    optional(reader.input)
    write(reader, `${textOf(reader, argument(reader.input))}, `)
  }),
  ...named(['inst', 'textsuperscript', 'IEEEauthorrefmark', 'altaffilmark', 'textsubscript'], mark),
  ...named(['email', 'ead', 'emailaddress', 'corref', 'cortext', 'fntext', 'fnref', 'homepage', 'affaddr', 'additionalaffiliation', 'icmlcorrespondingauthor', 'icmlsetsymbol', 'authornote', 'authorsaddresses', 'collaboration', 'noaffiliation@'], (reader: Reader) => {
    optional(reader.input)
    argument(reader.input)
  }),
  ...named(['and', 'And', 'AND', 'AuthorAnd'], and),
  ['IEEEauthorblockN', reader => write(reader, `${authorText(reader, argument(reader.input))}\uE010`)],
  ['IEEEauthorblockA', reader => write(reader, `\uE010\uE016${authorText(reader, argument(reader.input)).replaceAll('\uE010', '\uE010\uE016')}`)],
  ...named(['footnote', 'footnotetext', 'thanks', 'blfootnote', 'tnotetext', 'titlenote', 'subtitlenote', 'endnote', 'tablefootnote'], footnote),
  ['abstract', abstractCommand],
  ['input', inputFile],
  ['include', inputFile],
  ['subfile', inputFile],
  ['import', reader => inputFile(reader, `${sourceOf(argument(reader.input))}/`)],
  ['subimport', reader => inputFile(reader, `${sourceOf(argument(reader.input))}/`)],
  ['makeatletter', reader => { reader.input.letters.at = true }],
  ['makeatother', reader => { reader.input.letters.at = false }],
  ['endinput', ({ input }) => endFile(input)],
  ['twocolumn', twoColumn],
  ['xspace', wordSpace]
]
