/**
 * XML to a tree. Nothing outside the text is touched: no document type is fetched, no entity but the
 * five of XML and the named characters of HTML (JATS declares the same names) is expanded, so what a
 * document type declares can neither grow nor read anything.
 */
import { decodeHTMLStrict } from 'entities'
import { SaxesParser } from 'saxes'
import type { Document } from '../../../../shared/contracts/document.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { decodeMarkup } from './decode.ts'
import { depthMax, elementsMax, textMax, type Element } from './element.ts'
import { tooLarge } from './too-large.ts'

export interface Tree { root: Element, warnings: Document['warnings'] }

/** Faults that leave the text as it stands; every other one means that some of it is missing. */
const mild = /malformed character entity|disallowed character|text data outside of root node/u
const mildMax = 10_000

/**
 * @throws Problem paper-damaged for what is not well-formed, with where; paper-too-complex for trees
 *         deeper or larger than any paper's
 */
export function readXml (bytes: Uint8Array): Tree {
  const { text, warnings } = decodeMarkup(bytes)
  const parser = new SaxesParser()
  const builder = treeBuilder()
  const odd = { count: 0, first: '' }
  const note = (what: string) => {
    if (odd.count++ === 0) odd.first = `line ${parser.line}: ${what.slice(0, 60)}`
  }
  parser.ENTITIES = namedCharacters(name => note(`&${name};`))
  parser.on('opentag', ({ name, attributes }) => builder.open(name, attributes as Record<string, string>))
  parser.on('closetag', () => builder.close())
  parser.on('text', text => builder.text(text))
  parser.on('cdata', text => builder.text(text))
  parser.on('error', ({ message }) => {
    const fault = message.replace(/^[\d:\s]+/u, '').slice(0, 100)
    if (!mild.test(fault) || odd.count > mildMax) {
      throw new Problem('paper-damaged', `The XML is not well-formed (line ${parser.line}, column ${parser.column}: ${fault}). The file may be cut short; download it again.`)
    }
    note(fault)
  })
  parser.write(text.replace(/^\uFEFF/u, '')).close()
  if (builder.root === undefined) throw new Problem('paper-damaged', 'The XML has no element; download the file again.')
  if (odd.count > 0) {
    warnings.push({ code: 'unknown-characters', detail: `${odd.count} entities or characters are not known and stand as they were written (first in ${odd.first}).` })
  }
  return { root: builder.root, warnings }
}

/**
 * Looked up when asked for: the table has 2,000 names, XML's own five among them. Any other name stands
 * for itself, which is told to `unknown`.
 */
function namedCharacters (unknown: (name: string) => void): Record<string, string> {
  const known = new Map<string, string>()
  return new Proxy<Record<string, string>>({}, {
    get (_, name) {
      if (typeof name !== 'string') return undefined
      const text = known.get(name) ?? decodeHTMLStrict(`&${name};`)
      if (text === `&${name};`) unknown(name)
      else known.set(name, text)
      return text
    }
  })
}

function treeBuilder () {
  const open: Element[] = []
  let root: Element | undefined
  let count = 0
  let characters = 0
  return {
    get root () { return root },
    open (name: string, attributes: Record<string, string>) {
      if (open.length >= depthMax || ++count > elementsMax) {
        throw tooLarge('XML')
      }
      const element: Element = {
        name: localOf(name),
        attributes: new Map(Object.entries(attributes).map(([key, value]) => [localOf(key), value])),
        children: []
      }
      if (root === undefined) root = element
      else open.at(-1)?.children.push(element)
      open.push(element)
    },
    close () { open.pop() },
    text (text: string) {
      characters += text.length
      if (characters > textMax) throw tooLarge('XML')
      open.at(-1)?.children.push(text)
    }
  }
}

function localOf (name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
