/** HTML that cannot be injected into: whatever is not markup of ours is escaped. */

/** Markup that is safe to place in a page. */
export interface Markup { readonly markup: string }

type Value = Markup | string | number | null | undefined | readonly Value[]

/** A template whose values are escaped unless they are Markup; lists are joined, null is nothing. */
export function html (strings: TemplateStringsArray, ...values: Value[]): Markup {
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) markup += render(value) + (strings[index + 1] ?? '')
  return { markup }
}

/** Text of ours that holds no data: style sheets. */
export function trusted (markup: string): Markup {
  return { markup }
}

function render (value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  if (Array.isArray(value)) return value.map(render).join('')
  return (value as Markup).markup
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Also takes out what no HTML document may hold: control characters and lone surrogates. */
export function escapeHtml (text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what must go
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\p{Surrogate}/gu, '\uFFFD')
    .replace(/[&<>"']/g, character => entities[character]!)
}
