/** Definitions of a LaTeX source: macros, environments and switches. Nothing is carried out. */
import { argument, optional, skipSpaces, star } from './arguments.ts'
import { nextToken, peekToken, putBack, type Input, type Macro } from './input.ts'
import { charactersOf, sourceOf, space, stop, type Token } from './tokens.ts'

export interface Environment { begin: Macro, end: readonly Token[] }

export interface Definitions {
  environments: Map<string, Environment>
  /** Names that keep the meaning they have here, whatever a source says. */
  isReserved: (name: string) => boolean
}

const bodyMax = 5_000

type Defining = (input: Input, definitions: Definitions) => void

/** By the name of the command that defines. */
export const definingCommands = new Map<string, Defining>(Object.entries({
  newcommand: newCommand,
  renewcommand: newCommand,
  providecommand: newCommand,
  DeclareRobustCommand: newCommand,
  def: define,
  gdef: define,
  edef: define,
  xdef: define,
  let: letBe,
  newenvironment: newEnvironment,
  renewenvironment: newEnvironment,
  NewDocumentCommand: documentCommand,
  RenewDocumentCommand: documentCommand,
  ProvideDocumentCommand: documentCommand,
  NewDocumentEnvironment: documentEnvironment,
  DeclareMathOperator: mathOperator,
  newif: newSwitch
} satisfies Record<string, Defining>))

function keep ({ macros }: Input, { isReserved }: Definitions, [name, macro]: [string, Macro]): void {
  if (name === '' || isReserved(name) || macro.body.length > bodyMax) return
  macros.set(name, macro)
}

function nameOf (tokens: readonly Token[]): string {
  return tokens.find(({ cs }) => cs)?.text ?? ''
}

/** "#1" becomes a hole, "##" a "#". */
export function compiled (tokens: readonly Token[]): Macro['body'] {
  const body: (Token | number)[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    const after = tokens[i + 1]
    if (token.cs || token.text !== '#' || after === undefined) {
      body.push(token)
      continue
    }
    i++
    body.push(/^[1-9]$/u.test(after.text) ? Number(after.text) : after)
  }
  return body
}

function plain (count: number): Macro['delimiters'] {
  return Array.from({ length: Math.min(9, count || 0) + 1 }, () => [])
}

function newCommand (input: Input, definitions: Definitions): void {
  star(input)
  const name = nameOf(argument(input))
  const count = Number(sourceOf(optional(input) ?? []))
  const fallback = count > 0 ? optional(input) : undefined
  const body = compiled(argument(input))
  keep(input, definitions, [name, { delimiters: plain(count), body, ...(fallback && { fallback }) }])
}

function define (input: Input, definitions: Definitions): void {
  const target = nextToken(input)
  const delimiters: Token[][] = [[]]
  for (let token = nextToken(input); token !== undefined && (token.cs || token.text !== '{'); token = nextToken(input)) {
    if (token === stop) {
      putBack(input, [token])
      return
    }
    if (!token.cs && token.text === '#') {
      nextToken(input)
      delimiters.push([])
    } else delimiters.at(-1)!.push(token)
  }
  putBack(input, charactersOf('{'))
  const body = compiled(argument(input))
  if (target?.cs !== true || delimiters.length > 10) return
  keep(input, definitions, [target.text, { delimiters, body }])
}

function letBe (input: Input, definitions: Definitions): void {
  const target = nextToken(input)
  skipSpaces(input)
  if (peekToken(input)?.text === '=') nextToken(input)
  skipSpaces(input)
  const source = nextToken(input)
  if (target?.cs !== true || source === undefined || source === stop) return
  const macro = source.cs ? input.macros.get(source.text) : undefined
  // A name that is let be itself would never end.
  if (source.text === target.text) return
  keep(input, definitions, [target.text, macro ?? { delimiters: [[]], body: [source] }])
}

function newEnvironment (input: Input, { environments }: Definitions): void {
  star(input)
  const name = sourceOf(argument(input))
  const count = Number(sourceOf(optional(input) ?? []))
  const fallback = count > 0 ? optional(input) : undefined
  const body = compiled(argument(input))
  const end = argument(input)
  environments.set(name, { begin: { delimiters: plain(count), body, ...(fallback && { fallback }) }, end })
}

/** Of xparse: m, o and O{…} are read, a star is dropped; other kinds count as mandatory. */
function signature (input: Input): Pick<Macro, 'delimiters' | 'fallback'> {
  const spec = sourceOf(argument(input)).replaceAll(' ', '')
  const open = /^O\{([^{}]{0,200})\}|^o/u.exec(spec)
  const rest = spec.slice(open?.[0].length ?? 0).replaceAll(/\{[^{}]{0,200}\}/gu, '')
  const count = (open === null ? 0 : 1) + (rest.match(/[a-zA-Z]/gu)?.length ?? 0)
  return { delimiters: plain(count), ...(open !== null && { fallback: charactersOf(open[1] ?? '') }) }
}

function documentCommand (input: Input, definitions: Definitions): void {
  const name = nameOf(argument(input))
  const head = signature(input)
  keep(input, definitions, [name, { ...head, body: compiled(argument(input)) }])
}

function documentEnvironment (input: Input, { environments }: Definitions): void {
  const name = sourceOf(argument(input))
  const head = signature(input)
  const body = compiled(argument(input))
  environments.set(name, { begin: { ...head, body }, end: argument(input) })
}

function mathOperator (input: Input, definitions: Definitions): void {
  star(input)
  const name = nameOf(argument(input))
  const [open, close] = charactersOf('{}') as [Token, Token]
  const body = [{ cs: true, text: 'operatorname' }, open, ...argument(input), close, space]
  keep(input, definitions, [name, { delimiters: [[]], body }])
}

function newSwitch (input: Input, { isReserved }: Definitions): void {
  const target = nextToken(input)
  if (target?.cs !== true || !target.text.startsWith('if')) return
  const name = target.text.slice(2)
  if (name === '' || isReserved(name)) return
  input.switches.set(name, false)
}

/** `\draftfalse`, `\draftTrue` and the like; whether `name` was one. */
export function setSwitch ({ switches }: Input, name: string): boolean {
  const match = /^(.+?)(true|false)$/u.exec(name)
  if (match === null || !switches.has(match[1]!)) return false
  switches.set(match[1]!, match[2] === 'true')
  return true
}
