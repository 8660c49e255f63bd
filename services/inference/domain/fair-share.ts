/**
 * Whose turn it is among many flows, each to get the same number of tokens while it has something
 * waiting: start-time fair queueing. A flow's next request starts where its last one ended in
 * virtual time, or now if it was idle; the earliest start is served. Of any two flows that wait all
 * the while, neither gets ahead by more than one largest request of each, and a newcomer waits for
 * at most one request of every other flow. (Deficit round-robin gives the same share, but lets a
 * newcomer wait for a whole quantum of everybody.)
 *
 * @see Goyal, Vin & Cheng 1997, doi:10.1109/90.649569
 */
import { indexedHeap, type Placed } from './indexed-heap.ts'

export interface Flow extends Placed {
  readonly key: string
  /** Virtual time, in tokens, at which its next request starts. */
  start: number
  /** Decides between equal starts: who came first. */
  turn: number
}

export interface FairShare<F extends Flow> {
  /** Flows with something waiting. */
  readonly size: number
  find: (key: string) => F | undefined
  /** The flow whose turn it is. */
  first: () => F | undefined
  /** It has something waiting from now on. */
  wake: (flow: F) => void
  /** Its request of so many tokens is taken; `tokens` above 0. */
  served: (flow: F, tokens: number) => void
  /** It has nothing waiting any more. */
  sleep: (flow: F) => void
}

/** @param idleMax flows without anything waiting whose debts are remembered */
export function fairShare<F extends Flow> (idleMax = 1000): FairShare<F> {
  const waiting = indexedHeap<F>((a, b) => a.start < b.start || (a.start === b.start && a.turn < b.turn))
  const flows = new Map<string, F>()
  /** Starts of those who are idle but have had more than their share; the longest idle first. */
  const debts = new Map<string, number>()
  let virtual = 0
  let turn = 0

  return {
    get size () { return waiting.size },
    find: key => flows.get(key),
    first: waiting.first,
    wake (flow) {
      flow.start = Math.max(virtual, debts.get(flow.key) ?? 0)
      flow.turn = turn++
      debts.delete(flow.key)
      flows.set(flow.key, flow)
      waiting.add(flow)
    },
    served (flow, tokens) {
      virtual = Math.max(virtual, flow.start)
      flow.start += tokens
      waiting.moved(flow)
    },
    sleep (flow) {
      waiting.remove(flow)
      flows.delete(flow.key)
      if (flow.start <= virtual) return
      debts.set(flow.key, flow.start)
      if (debts.size > idleMax) debts.delete(debts.keys().next().value as string)
    }
  }
}
