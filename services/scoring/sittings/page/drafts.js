/* global localStorage */
/** What was typed or chosen and not sent yet: it outlives a reload and a crash of the browser. */

const prefix = 'viva-sitting/'

export function drafts (sittingId) {
  const name = itemId => `${prefix}${sittingId}/${itemId}`
  return {
    read (itemId) {
      try {
        return JSON.parse(localStorage.getItem(name(itemId)) ?? 'null')
      } catch {
        return null
      }
    },
    /** A browser may keep nothing, or have no room; answering goes on without. */
    write (itemId, answer) {
      try {
        localStorage.setItem(name(itemId), JSON.stringify(answer))
      } catch {}
    },
    clear (itemId) {
      try {
        localStorage.removeItem(name(itemId))
      } catch {}
    },
    clearAll () {
      try {
        for (const key of Object.keys(localStorage)) if (key.startsWith(`${prefix}${sittingId}/`)) localStorage.removeItem(key)
      } catch {}
    }
  }
}
