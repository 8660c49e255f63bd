/** The files of a LaTeX source: which one is the paper, and what a name in it stands for. */
import { foldedName } from '../archive-names.ts'

export interface Project {
  files: ReadonlyMap<string, Uint8Array>
  main: string
  text: (name: string) => string
  /** The name in the archive of what a source calls `name`, tried with each extension; or undefined. */
  find: (name: string, extensions: readonly string[]) => string | undefined
}

export const pictureExtensions = ['', '.pdf', '.png', '.jpg', '.jpeg', '.gif', '.PDF', '.PNG', '.JPG', '.eps', '.ps', '.svg']

/** @returns undefined when no file begins a document */
export function openProject (files: ReadonlyMap<string, Uint8Array>): Project | undefined {
  const texts = new Map<string, string>()
  const text = (name: string) => {
    let known = texts.get(name)
    if (known === undefined) {
      known = decoded(files.get(name) ?? new Uint8Array())
      texts.set(name, known)
    }
    return known
  }
  const main = mainFile([...files.keys()].filter(name => name === '' || /\.(?:tex|ltx|latex|txt)$/iu.test(name)).sort(byCode), text)
  if (main === undefined) return undefined
  const folded = new Map([...files.keys()].map(name => [foldedName(name), name]))
  const folder = main.includes('/') ? main.slice(0, main.lastIndexOf('/') + 1) : ''
  return {
    files,
    main,
    text,
    find (name, extensions) {
      const asked = name.trim().replaceAll('"', '').replace(/^(?:\.\/)+/u, '')
      if (asked === '' || asked.length > 500 || /^\/|^[A-Za-z]:|\||\0/u.test(asked)) return undefined
      for (const start of [folder, '']) {
        for (const extension of extensions) {
          const found = within(start + asked + extension)
          const own = found === undefined ? undefined : folded.get(foldedName(found))
          if (own !== undefined) return own
        }
      }
      return undefined
    }
  }
}

/** A path with "." and ".." resolved; undefined when it leads out of the archive. */
function within (path: string): string | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function byCode (a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The file with a class and a document in it; of several the likeliest. */
function mainFile (names: readonly string[], textOf: (name: string) => string): string | undefined {
  const scored = names.flatMap(name => {
    const text = textOf(name).replaceAll(/(?<!\\)%[^\n]*/gu, '')
    if (!/\\document(?:class|style)\b/u.test(text)) return []
    const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
    const score = [
      /\\begin\s*\{document\}/u.test(text) ? 8 : 0,
      /\\title\b|\\begin\s*\{frontmatter\}/u.test(text) ? 4 : 0,
      /\\documentclass(?:\[[^\]]{0,300}\])?\s*\{(?:standalone|subfiles|beamer|letter)\}/u.test(text) ? -8 : 0,
      /\\(?:begin\s*\{abstract\}|abstract\b)/u.test(text) ? 2 : 0,
      /\\(?:section|chapter|input|include)\b/u.test(text) ? 2 : 0,
      /^(?:main|ms|paper|article|manuscript)\b/u.test(base) ? 3 : 0,
      /supp|response|rebuttal|cover|letter|template|sample|appendix/u.test(base) ? -4 : 0,
      name.includes('/') ? 0 : 1
    ].reduce((sum, points) => sum + points, 0)
    return [{ name, score, length: text.length }]
  })
  return scored.sort((a, b) => b.score - a.score || b.length - a.length)[0]?.name
}

const encodings: Record<string, string> = {
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'iso-8859-9',
  latin9: 'iso-8859-15',
  ansinew: 'windows-1252',
  cp1252: 'windows-1252',
  cp1251: 'windows-1251',
  cp1250: 'windows-1250',
  'koi8-r': 'koi8-r',
  applemac: 'macintosh'
}

/**
 * UTF-8 where it is that; else as the source says of itself, Korean where its packages are, Latin 1.
 * Characters of private use are left out: the reader marks references with them.
 */
export function decoded (bytes: Uint8Array): string {
  return (utf8(bytes) ?? otherwise(bytes)).replaceAll(/[\uE000-\uF8FF\uFEFF]/gu, '').replaceAll(/\r\n?/gu, '\n')
}

function utf8 (bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function otherwise (bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 20_000)).toString('latin1')
  const said = /\\(?:usepackage|inputencoding)\s*(?:\[([\w-]{2,20})\]\s*\{inputenc\}|\{([\w-]{2,20})\})/u.exec(start)
  const name = (said?.[1] ?? said?.[2] ?? '').toLowerCase()
  const korean = /euc-?kr|uhc|\{(?:hangul|hfont|kotex|hlatex)/iu.test(start)
  return new TextDecoder(encodings[name] ?? (korean ? 'euc-kr' : 'windows-1252')).decode(bytes)
}
