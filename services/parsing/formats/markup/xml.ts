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
import { depthMax, elementsMax, type Element } from './element.ts'

export interface Tree { root: Element, warnings: Document['warnings'] }

/** Faults that leave the text as it stands; every other one means that some of it is missing. */
const mild = /undefined entity|malformed character entity|disallowed character|text data outside of root node/u

/**
 * @throws Problem paper-damaged for what is not well-formed, with where; paper-too-complex for trees
 *         deeper or larger than any paper's
 */
export function readXml (bytes: Uint8Array): Tree {
  const { text, warnings } = decodeMarkup(bytes)
  const parser = new SaxesParser()
  const unknown = { count: 0, first: '' }
  parser.ENTITIES = namedCharacters()
  const builder = treeBuilder()
  parser.on('opentag', ({ name, attributes }) => builder.open(name, attributes as Record<string, string>))
  parser.on('closetag', () => builder.close())
  parser.on('text', text => builder.text(text))
  parser.on('cdata', text => builder.text(text))
  parser.on('error', ({ message }) => {
    if (!mild.test(message)) {
      throw new Problem('paper-damaged', `The XML is not well-formed (line ${parser.line}, column ${parser.column}: ${message.replace(/^[\d:\s]+/u, '').slice(0, 100)}). The file may be cut short; download it again.`)
    }
    if (unknown.count++ === 0) unknown.first = `line ${parser.line}: ${message.replace(/^[\d:\s]+/u, '')}`
  })
  parser.write(text.replace(/^\uFEFF/u, '')).close()
  if (builder.root === undefined) throw new Problem('paper-damaged', 'The XML has no element; download the file again.')
  if (unknown.count > 0) {
    warnings.push({ code: 'unknown-characters', detail: `${unknown.count} entities or characters are not known and stand as they were written (first at ${unknown.first.slice(0, 100)}).` })
  }
  return { root: builder.root, warnings }
}

/** Looked up when asked for: the table has 2,000 names. Names of XML's own five are among them. */
function namedCharacters (): Record<string, string> {
  return new Proxy<Record<string, string>>({}, {
    get: (_, name) => {
      if (typeof name !== 'string' || name.length > 40) return undefined
      const text = decodeHTMLStrict(`&${name};`)
      return text === `&${name};` ? undefined : text
    }
  })
}

function treeBuilder () {
  const open: Element[] = []
  let root: Element | undefined
  let count = 0
  return {
    get root () { return root },
    open (name: string, attributes: Record<string, string>) {
      if (open.length >= depthMax || ++count > elementsMax) {
        throw new Problem('paper-too-complex', `The XML is nested deeper than ${depthMax} elements or has more than ${elementsMax}; no paper needs that.`)
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
    text (text: string) { open.at(-1)?.children.push(text) }
  }
}

function localOf (name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
