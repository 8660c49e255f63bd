/** A tree of mark-up, of XML or HTML alike. Names are local: prefixes are dropped. */

export interface Element {
  name: string
  attributes: ReadonlyMap<string, string>
  children: Node[]
}

export type Node = Element | string

/** Trees are no deeper, so that walking them by recursion is safe; papers reach 60. */
export const depthMax = 400
/** Of one tree; a long paper has 60,000. */
export const elementsMax = 500_000

export function isElement (node: Node): node is Element {
  return typeof node !== 'string'
}

export function elementsOf ({ children }: Element): Element[] {
  return children.filter(isElement)
}

/** Children with one of these names. */
export function childrenOf (element: Element | undefined, ...names: string[]): Element[] {
  return element === undefined ? [] : elementsOf(element).filter(({ name }) => names.includes(name))
}

export function childOf (element: Element | undefined, ...names: string[]): Element | undefined {
  return element?.children.find((node): node is Element => isElement(node) && names.includes(node.name))
}

/** Follows first children by name: `pathOf(article, 'front', 'article-meta')`. */
export function pathOf (element: Element | undefined, ...names: string[]): Element | undefined {
  return names.reduce((at, name) => childOf(at, name), element)
}

/** All below that fit, in the order of the text; what is below one that fits is looked at too. */
export function * findAll (element: Element, fits: (element: Element) => boolean): Generator<Element> {
  for (const child of element.children) {
    if (!isElement(child)) continue
    if (fits(child)) yield child
    yield * findAll(child, fits)
  }
}

/** All below that fit and are not inside another that fits. */
export function outermost (element: Element, fits: (element: Element) => boolean): Element[] {
  return elementsOf(element).flatMap(child => fits(child) ? [child] : outermost(child, fits))
}

export function allOf (element: Element | undefined, ...names: string[]): Element[] {
  return element === undefined ? [] : [...findAll(element, ({ name }) => names.includes(name))]
}

/** All text below, as it stands. */
export function rawText (node: Node): string {
  return isElement(node) ? node.children.map(rawText).join('') : node
}

export function attributeOf (element: Element | undefined, name: string): string {
  return element?.attributes.get(name) ?? ''
}
