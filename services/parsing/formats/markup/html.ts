/** HTML to a tree. Scripts are text like any other and are left out; nothing is fetched. */
import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes as Parse5 } from 'parse5'
import { decodeMarkup } from './decode.ts'
import { depthMax, elementsMax, isElement, rawText, textMax, type Element, type Node } from './element.ts'
import { tooLarge } from './too-large.ts'
import type { Tree } from './xml.ts'

const unread = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg'])

/** @throws Problem paper-too-complex for trees deeper or larger than any paper's */
export function readHtml (bytes: Uint8Array): Tree {
  const { text, warnings } = decodeMarkup(bytes)
  const treeAdapter = boundedAdapter()
  const document = parse<DefaultTreeAdapterMap>(text, { treeAdapter, scriptingEnabled: false })
  const html = document.childNodes.find((node): node is Parse5.Element => node.nodeName === 'html')
  const read: Reading = { characters: 0, hidden: [] }
  const root = html === undefined ? undefined : converted(html, { depth: 1, read, grounded: false })
  return {
    root: root !== undefined && isElement(root) ? root : { name: 'html', attributes: new Map(), children: [] },
    warnings: [...warnings, ...read.hidden.slice(0, hiddenMax).map(hiddenWarning)]
  }
}

/** Bounded while the tree grows: repairing wild nesting costs time with each level. */
function boundedAdapter () {
  let count = 0
  const depths = new WeakMap<object, number>()
  const below = (parent: object, child: object) => {
    const depth = (depths.get(parent) ?? 0) + 1
    depths.set(child, depth)
    if (depth > depthMax) throw tooLarge('HTML')
  }
  return {
    ...defaultTreeAdapter,
    createElement (...given: Parameters<typeof defaultTreeAdapter.createElement>) {
      if (++count > elementsMax) throw tooLarge('HTML')
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

interface Reading { characters: number, hidden: string[] }

interface Converting {
  depth: number
  read: Reading
  /** On a colour of its own, where white is to be seen. */
  grounded: boolean
}

const hiddenMax = 40
const unseen = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)|font-size\s*:\s*(?:0|0?\.\d+|1)(?:px|pt|em|%)?\s*(?:;|$|!))/iu
const white = /(?:^|;)\s*color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))\s*(?:;|$|!)/iu

/** What a browser shows nobody: it could steer a model, so it is no text of the paper. */
function isHidden (attributes: ReadonlyMap<string, string>, grounded: boolean): boolean {
  const style = attributes.get('style') ?? ''
  return attributes.has('hidden') || unseen.test(style) || (!grounded && white.test(style))
}

function hiddenWarning (text: string) {
  return { code: 'hidden-text', detail: `Left out, because readers of the page cannot see it: "${text}"` }
}

function converted (node: Parse5.ChildNode, { depth, read, grounded }: Converting): Node | undefined {
  if (depth > depthMax) throw tooLarge('HTML')
  if ('value' in node) {
    read.characters += node.value.length
    if (read.characters > textMax) throw tooLarge('HTML')
    return node.value
  }
  if (!('tagName' in node)) return undefined
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
  const inside = unread.has(node.tagName) ? [] : node.childNodes
  const below = { depth: depth + 1, read, grounded: grounded || /background/iu.test(attributes.get('style') ?? '') }
  const children = inside.flatMap(child => converted(child, below) ?? [])
  const element = { name: node.tagName, attributes, children }
  if (!isHidden(attributes, below.grounded)) return element
  const text = rawText(element).replace(/\s+/gu, ' ').trim().slice(0, 300)
  if (text !== '') read.hidden.push(text)
  return undefined
}

export function hasClass (element: Element, ...names: string[]): boolean {
  const classes = (element.attributes.get('class') ?? '').split(/\s+/u)
  return names.some(name => classes.includes(name))
}
