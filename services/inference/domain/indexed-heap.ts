/** A binary heap whose elements know their place, so that any of them can leave it at once. */

export interface Placed {
  /** Index in the heap; -1 outside. Written by the heap only. */
  place: number
}

export interface IndexedHeap<T extends Placed> {
  readonly size: number
  first: () => T | undefined
  add: (element: T) => void
  /** Does nothing for one that is not in the heap. */
  remove: (element: T) => void
  /** To be called after the order of `element` has changed. */
  moved: (element: T) => void
}

/** @param isBefore a strict order; add, remove and moved cost O(log n) */
export function indexedHeap<T extends Placed> (isBefore: (a: T, b: T) => boolean): IndexedHeap<T> {
  const elements: T[] = []

  function put (element: T, place: number): void {
    elements[place] = element
    element.place = place
  }

  function rise (element: T): void {
    let { place } = element
    while (place > 0) {
      const parent = elements[(place - 1) >> 1] as T
      if (!isBefore(element, parent)) break
      const freed = parent.place
      put(parent, place)
      place = freed
    }
    put(element, place)
  }

  function sink (element: T): void {
    let { place } = element
    for (;;) {
      const left = elements[2 * place + 1]
      const right = elements[2 * place + 2]
      if (left === undefined) break
      const child = right !== undefined && isBefore(right, left) ? right : left
      if (!isBefore(child, element)) break
      const freed = child.place
      put(child, place)
      place = freed
    }
    put(element, place)
  }

  function moved (element: T): void {
    rise(element)
    sink(element)
  }

  return {
    get size () { return elements.length },
    first: () => elements[0],
    add (element) {
      put(element, elements.length)
      rise(element)
    },
    remove (element) {
      const { place } = element
      if (place === -1) return
      element.place = -1
      const last = elements.pop() as T
      if (last === element) return
      put(last, place)
      moved(last)
    },
    moved
  }
}
