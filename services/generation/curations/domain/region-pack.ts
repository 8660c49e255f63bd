/** What a region's examinations take for granted, as data: files of region-packs/. */
import { Type, type Static } from 'typebox'

const closed = { additionalProperties: false }
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 500 })

export const RegionPack = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  title: Type.String(),
  language: Type.String({ description: 'BCP 47, of the words.' }),
  climate: Type.String(),
  deictic: Type.Array(Type.Object({
    word: Type.String({ minLength: 1 }),
    explicit: Type.String({ minLength: 1, description: 'What stands in its place in an explicit wording.' })
  }, closed), { description: 'Words that mean the region only because it is where they are said.' }),
  places: Words,
  winds: Words,
  seasons: Type.Array(Type.String(), { description: 'Spells of the year, feasts and terms of a calendar.' }),
  regulations: Words,
  units: Words,
  nonTransferring: Type.Array(Type.Object({
    word: Type.String({ minLength: 1 }), why: Type.String()
  }, closed), { description: 'What has no counterpart elsewhere: an item about it cannot be moved to another region.' })
}, closed)
export type RegionPack = Static<typeof RegionPack>

export interface RegionalWord { kind: 'deictic' | 'places' | 'winds' | 'seasons' | 'regulations' | 'units' | 'nonTransferring', word: string }

/** Words of the pack that stand in a text, each once. Latin ones stand alone; particles may follow others. */
export function regionalWords (text: string, pack: RegionPack): RegionalWord[] {
  const plain = text.normalize('NFKC').toLowerCase()
  const lists: Array<[RegionalWord['kind'], string[]]> = [
    ['deictic', pack.deictic.map(({ word }) => word)], ['places', pack.places], ['winds', pack.winds], ['seasons', pack.seasons],
    ['regulations', pack.regulations], ['units', pack.units], ['nonTransferring', pack.nonTransferring.map(({ word }) => word)]
  ]
  return lists.flatMap(([kind, words]) =>
    words.filter(word => stands(plain, word)).map(word => ({ kind, word })))
}

function stands (plain: string, word: string): boolean {
  const wanted = word.normalize('NFKC').toLowerCase()
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) {
    if (isWhole(plain, { start: at, end: at + wanted.length })) return true
  }
  return false
}

const letter = /[\p{L}\p{N}]/u

/** Whether no word goes on before it; after it, particles of Korean and Japanese may. */
function isWhole (text: string, { start, end }: { start: number, end: number }): boolean {
  if (start > 0 && letter.test(text[start - 1]!) && letter.test(text[start]!)) return /[\u3040-\u30ff\u4e00-\u9fff]/u.test(text[start]!)
  return !/[a-z\u00c0-\u024f]/u.test(text[end - 1]!) || !letter.test(text[end] ?? ' ')
}

/** "대한민국 중부지방" says it already. */
function isExplicitAlready (before: string, { word, explicit }: RegionPack['deictic'][number]): boolean {
  const start = explicit.endsWith(word) ? explicit.slice(0, -word.length) : ''
  return start !== '' && before.endsWith(start)
}

/** The text with names in place of deictic words; the longest first. Null where there is none. */
export function explicitText (text: string, { deictic }: Pick<RegionPack, 'deictic'>): string | null {
  const words = deictic.toSorted((a, b) => b.word.length - a.word.length)
  let result = ''
  let at = 0
  let found = false
  while (at < text.length) {
    const hit = words.find(({ word }) => {
      const end = at + word.length
      return text.slice(at, end).toLowerCase() === word.toLowerCase() &&
        isWhole(text.toLowerCase(), { start: at, end })
    })
    if (hit === undefined || isExplicitAlready(result, hit)) {
      result += text[at++]
      continue
    }
    found = true
    const opens = hit.word[0] !== text[at] && at === 0
    result += opens ? hit.explicit.charAt(0).toUpperCase() + hit.explicit.slice(1) : hit.explicit
    at += hit.word.length
  }
  return found ? result : null
}
