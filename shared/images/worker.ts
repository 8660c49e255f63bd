/** Shrinks images in a thread of its own: a large one takes longer than a request may wait. */
import { parentPort } from 'node:worker_threads'
import { shrinkPng } from './shrink-png.ts'

export interface ShrinkRequest { id: number, png: Uint8Array, sideMax: number }
export interface ShrinkAnswer { id: number, png?: Uint8Array, error?: string }

parentPort!.on('message', ({ id, png, sideMax }: ShrinkRequest) => {
  let answer: ShrinkAnswer
  try {
    answer = { id, png: shrinkPng(png, sideMax) }
  } catch (cause) {
    answer = { id, error: String(cause) }
  }
  parentPort!.postMessage(answer)
})
