/** Keeps what was read recently; for things that never change, so nothing can be stale. */

type Read<T> = (key: string) => Promise<T>

/** @param countMax  the least recently used beyond it are dropped; a failed read is not kept */
export function recently<T> (countMax: number, read: Read<T>): Read<T> {
  const kept = new Map<string, Promise<T>>()
  return key => {
    const found = kept.get(key) ?? read(key)
    kept.delete(key)
    kept.set(key, found)
    found.catch(() => { if (kept.get(key) === found) kept.delete(key) })
    for (const oldest of kept.keys()) {
      if (kept.size <= countMax) break
      kept.delete(oldest)
    }
    return found
  }
}
