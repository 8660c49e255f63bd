/** Elements from data. Text of papers and of models becomes text nodes and nothing else. */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} properties  of the element; `class`, `for`, `role` and names with
 *   a hyphen are attributes
 * @param {...(Node | string | null)} children
 */
export function el (tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue
    if (['class', 'for', 'role'].includes(name) || name.includes('-')) element.setAttribute(name, String(value))
    else element[name] = value
  }
  element.append(...children.filter(child => child !== null))
  return element
}

export function card (title, ...children) {
  return el('section', { class: 'card', 'aria-label': title }, el('h3', {}, title), ...children)
}

export function byId (id) {
  return document.getElementById(id)
}

export function notice (text, isError = false) {
  const line = byId('notice')
  line.textContent = text
  line.classList.toggle('error', isError)
}
