/** A writer at a place of a paper, as the thread works for it: data in, data out. */
import type { Place } from '../plan.ts'
import { draftingOf, outOfBudget, withReply, type Drafting, type Reply } from './drafting.ts'
import { roomOf, roomTokensMin, type Filling } from './room.ts'
import type { Fault, Material } from './writer.ts'
import { writerOf } from './writers.ts'

/** `writer` by its name; `prompt` is its main one. */
export interface Site { place: Place, writer: string, prompt: Filling }
/** A reply to what `drafting` asks; or that its budget is spent. */
export interface Written {
  place: Place
  writer: string
  drafting: Drafting
  reply: Reply | 'out-of-budget'
}

export interface Begun {
  drafting: Drafting
  /** Of the items. */
  language: string
  /** Longest side in pixels that its figures have room for. */
  imageSideMax: number
  /** Tokens that the text of a prompt may have before anything is told back, as the model counts. */
  countedMax: number
}

export function begun ({ place, writer: name, prompt }: Site, material: Material): Begun {
  const writer = writerOf(name)
  const { document, vision, recipe, language } = material
  const figures = document.figures.filter(({ id, imageId }) => vision && id === place.id && imageId !== null)
  const { sideMax, countedMax, ...room } = roomOf(recipe, prompt, figures)
  const { tokens } = room
  const asks = tokens < roomTokensMin ? contextTooSmall(tokens) : writer.asksOf(place, material, room)
  const drafting = draftingOf({ place, writer, material }, asks)
  return { drafting, language, imageSideMax: sideMax, countedMax }
}

export function continued (
  { place, writer: name, drafting, reply }: Written, material: Material
): Drafting {
  const site = { place, writer: writerOf(name), material }
  return reply === 'out-of-budget' ? outOfBudget(drafting, site) : withReply(drafting, site, reply)
}

function contextTooSmall (tokens: number): Fault {
  return { reason: 'context-too-small', detail: `recipe.contextTokens leaves ${Math.max(0, tokens)} tokens for text of the paper; ${roomTokensMin} are needed.` }
}
