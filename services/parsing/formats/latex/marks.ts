/**
 * References inside text, written as marks of private use until the whole source is read, since a
 * number may be known only later.
 */

/**
 * `r` a number, `a` its name and number, `e` an equation's in parentheses; citations are `n` plain,
 * `p` in parentheses, `t` in the text, `y` the year, `u` the authors.
 */
export type MarkKind = 'r' | 'a' | 'A' | 'e' | 'n' | 'p' | 't' | 'y' | 'u'

export interface Mark { kind: MarkKind, keys: string[], before: string, after: string }

const pattern = /\uE000([a-zA-Z])([^\uE000-\uE002]*)\uE001([^\uE000-\uE002]*)\uE001([^\uE000-\uE002]*)\uE002/gu

export function markOf ({ kind, keys, before, after }: Mark): string {
  return `\uE000${kind}${keys.join(',')}\uE001${before}\uE001${after}\uE002`
}

export function withoutMarks (text: string, show: (mark: Mark) => string): string {
  return text.replaceAll(pattern, (...[, kind, keys, before, after]: string[]) =>
    show({ kind: kind as MarkKind, keys: keys!.split(',').map(key => key.trim()).filter(key => key !== ''), before: before!, after: after! }))
}
