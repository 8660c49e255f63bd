/** HTML to a tree. Scripts are text like any other and are left out; nothing is fetched. */
import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes as Parse5 } from 'parse5'
import { Problem } from '../../../../shared/errors/problem.ts'
import { decodeMarkup } from './decode.ts'
import { depthMax, elementsMax, isElement, type Element, type Node } from './element.ts'
import type { Tree } from './xml.ts'

const unread = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg'])

/** @throws Problem paper-too-complex for trees deeper or larger than any paper's */
export function readHtml (bytes: Uint8Array): Tree {
  const { text, warnings } = decodeMarkup(bytes)
  const treeAdapter = boundedAdapter()
  const document = parse<DefaultTreeAdapterMap>(text, { treeAdapter, scriptingEnabled: false })
  const html = document.childNodes.find((node): node is Parse5.Element => node.nodeName === 'html')
  const root = html === undefined ? undefined : converted(html, 1)
  return { root: root !== undefined && isElement(root) ? root : { name: 'html', attributes: new Map(), children: [] }, warnings }
}

/** Bounded while the tree grows: repairing wild nesting costs time with each level. */
function boundedAdapter () {
  let count = 0
  const depths = new WeakMap<object, number>()
  const below = (parent: object, child: object) => {
    const depth = (depths.get(parent) ?? 0) + 1
    depths.set(child, depth)
    if (depth > depthMax) throw tooComplex()
  }
  return {
    ...defaultTreeAdapter,
    createElement (...given: Parameters<typeof defaultTreeAdapter.createElement>) {
      if (++count > elementsMax) throw tooComplex()
      return defaultTreeAdapter.createElement(...given)
    },
    appendChild (...[parent, child]: Parameters<typeof defaultTreeAdapter.appendChild>) {
      below(parent, child)
      defaultTreeAdapter.appendChild(parent, child)
    },
    insertBefore (...[parent, child, next]: Parameters<typeof defaultTreeAdapter.insertBefore>) {
      below(parent, child)
      defaultTreeAdapter.insertBefore(parent, child, next)
    }
  }
}

function converted (node: Parse5.ChildNode, depth: number): Node | undefined {
  if (depth > depthMax) throw tooComplex()
  if ('value' in node) return node.value
  if (!('tagName' in node)) return undefined
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
  const read = unread.has(node.tagName) ? [] : node.childNodes
  const children = read.flatMap(child => converted(child, depth + 1) ?? [])
  return { name: node.tagName, attributes, children }
}

function tooComplex (): Problem {
  return new Problem('paper-too-complex', `The HTML is nested deeper than ${depthMax} elements or has more than ${elementsMax}; no paper needs that.`)
}

export function hasClass (element: Element, ...names: string[]): boolean {
  const classes = (element.attributes.get('class') ?? '').split(/\s+/u)
  return names.some(name => classes.includes(name))
}
