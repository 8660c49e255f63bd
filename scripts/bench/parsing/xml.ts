/**
 * XML of publishers as a tree: written apart from the reader that the product has, so that one
 * does not repeat the mistakes of the other. For trusted files only.
 */
export interface Element { name: string, attributes: Record<string, string>, children: Node[] }
export type Node = Element | string

const tag = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/gu
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gu

/** Names lose their prefix ("mml:math" is "math"). End tags without a start are passed over. */
export function readXml (source: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  let from = 0
  for (const match of source.matchAll(tag)) {
    const top = open.at(-1)!
    if (match.index > from) top.children.push(unescaped(source.slice(from, match.index)))
    from = match.index + match[0].length
    const [, data, end, start, attributes = '', empty] = match
    if (data !== undefined) top.children.push(data)
    if (end !== undefined) {
      const at = open.findLastIndex(({ name }) => name === localName(end))
      if (at > 0) open.length = at
    }
    if (start === undefined) continue
    const element: Element = {
      name: localName(start),
      attributes: Object.fromEntries(Array.from(attributes.matchAll(attribute), ([, key = '', a, b]) =>
        [localName(key), unescaped(a ?? b ?? '')])),
      children: []
    }
    top.children.push(element)
    if (empty === '') open.push(element)
  }
  return root
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function unescaped (text: string): string {
  return text.replace(/&(#?\w{1,16});/gu, (whole, name: string) => {
    const digits = /^#(x?)([0-9a-f]+)$/iu.exec(name)
    const code = digits === null ? Infinity : Number.parseInt(digits[2]!, digits[1] === '' ? 10 : 16)
    return code <= 0x10FFFF ? String.fromCodePoint(code) : entities[name] ?? whole
  })
}

function localName (name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Elements of a name below `element`, in order; not inside `outside`. */
export function all (element: Element, name: string, outside: ReadonlySet<string> = none): Element[] {
  return element.children.flatMap(child => {
    if (typeof child === 'string' || outside.has(child.name)) return []
    return [...child.name === name ? [child] : [], ...all(child, name, outside)]
  })
}

export function first (element: Element | undefined, ...path: string[]): Element | undefined {
  return path.reduce((at, name) => at === undefined ? undefined : all(at, name)[0], element)
}

export function children (element: Element, name: string): Element[] {
  return element.children.filter(child => typeof child !== 'string' && child.name === name) as Element[]
}

/** All text below, without that inside `outside`. */
export function textOf (node: Node | undefined, outside: ReadonlySet<string> = none): string {
  if (node === undefined) return ''
  if (typeof node === 'string') return node
  if (outside.has(node.name)) return ' '
  return node.children.map(child => textOf(child, outside)).join('')
}

export const plain = (node: Node | undefined, outside?: ReadonlySet<string>) =>
  textOf(node, outside).replace(/\s+/gu, ' ').trim()

const none: ReadonlySet<string> = new Set()
