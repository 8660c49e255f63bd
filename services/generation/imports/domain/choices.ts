/** The options of a row. */
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { normalForm } from '../../../../shared/answers/view.ts'
import { member } from '../../../../shared/text/member.ts'
import { note, type Fields } from './bank.ts'
import { limits } from './limits.ts'
import { pythonList } from './python-list.ts'
import { suspicions } from './suspect.ts'
import { cleaned } from './text.ts'

export interface Choice { text: string, image?: unknown }

/** @returns none for a row without options */
export function choicesOf (fields: Pick<Fields, 'choices' | 'choiceImages'>, field: string, notes: RowNote[]): Choice[] {
  const list = listOf(fields.choices)
  const images = listOf(fields.choiceImages) ?? []
  if (list === undefined) {
    if (images.length > 0) return images.map(image => ({ text: '', image }))
    return []
  }
  if (list === null) {
    notes.push(note('choices-unreadable', field, 'The options are neither a list nor, in a cell, a list as JSON or Python writes it.'))
    return []
  }
  if (list.length > limits.choices) {
    notes.push(note('choices-too-many', field, `There are ${list.length} options; 2 to ${limits.choices} are taken.`))
    return []
  }
  if (list.length === 1) notes.push(note('choices-too-few', field, 'There is one option; an item has two or more.'))
  return list.map((entry, at) => choiceOf(entry, images[at], { field: `${field}[${at}]`, notes }))
}

/** null for what should be a list and is none. */
function listOf (value: unknown): unknown[] | undefined | null {
  if (value === undefined || value === null || value === '') return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value as unknown[]
  if (typeof value === 'string') {
    try {
      const parsed = JSON.parse(value) as unknown
      return Array.isArray(parsed) ? parsed as unknown[] : null
    } catch { return pythonList(value) ?? null }
  }
  // ARC and its kin: {text: […], label: […]}.
  const texts = member(value, 'text')
  return Array.isArray(texts) ? texts as unknown[] : null
}

interface Placed { field: string, notes: RowNote[] }

function choiceOf (entry: unknown, beside: unknown, { field, notes }: Placed): Choice {
  const isTree = entry !== null && typeof entry === 'object' && !Array.isArray(entry)
  const text = cleaned(isTree ? member(entry, 'text') : entry, { field, charsMax: limits.choiceChars })
  const own = isTree ? member(entry, 'image') : undefined
  if (text === undefined) notes.push(note('choice-unreadable', field, 'The option is neither text nor an object with text and image.'))
  else notes.push(...text.notes, ...suspicions(text.text, field))
  const image = [own, beside, ...text?.images ?? []].find(each => each !== undefined && each !== null && each !== '')
  if (image === undefined && text?.text === '') notes.push(note('choice-empty', field, 'The option has neither text nor image.'))
  return { text: text?.text ?? '', ...image !== undefined && { image } }
}

/** What makes an item of choices unfair or without an answer. @param answer 0-based place */
export function duplicateFaults (choices: readonly Choice[], answer: number): RowNote[] {
  const placesByText = new Map<string, number[]>()
  for (const [at, { text, image }] of choices.entries()) {
    if (image !== undefined || text === '') continue
    // Case tells symbols apart; only spaces and forms of letters do not.
    const form = normalForm(text) === '' ? text : text.normalize('NFKC').replace(/\s+/g, ' ')
    placesByText.set(form, [...placesByText.get(form) ?? [], at])
  }
  return [...placesByText.values()].filter(places => places.length > 1).map(places => {
    const numbers = places.map(at => at + 1).join(' and ')
    return places.includes(answer)
      ? note('duplicate-answers', 'choices', `Options ${numbers} are the same, and one of them is the answer.`)
      : note('duplicate-choices', 'choices', `Options ${numbers} are the same.`)
  })
}
