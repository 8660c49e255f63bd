/* global HTMLElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement */
/** Keys of the page. None of them does anything while somebody types, or in a dialog. */
const byKey = {
  a: 'accept', e: 'edit', r: 'reject', s: 'rate', j: 'next', k: 'previous', z: 'undo', '?': 'help', '[': 'page-back', ']': 'page-on'
}

/** @param given  `actions` by name, `digit(n)`, `confirm()`, `leave()` */
export function keysOf ({ actions, digit, confirm, leave }) {
  document.addEventListener('keydown', event => {
    if (event.isComposing || document.querySelector('dialog[open]') !== null) return
    if (event.key === 'Escape') { leave(); return }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      confirm()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return
    if (/^[0-9]$/.test(event.key)) {
      if (digit(Number(event.key))) event.preventDefault()
      return
    }
    const name = byKey[event.key]
    if (name === undefined) return
    event.preventDefault()
    actions[name]()
  })
}

/** A radio button takes no letters, so keys go on working after a mouse was used on one. */
function typing (target) {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
