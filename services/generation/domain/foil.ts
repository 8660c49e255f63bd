/** What a foil is, and what foils are made from. */

export const editKinds = ['number', 'percentage', 'direction', 'comparative', 'contrast', 'negation', 'entity'] as const
export type EditKind = (typeof editKinds)[number]

/** `false` has `to` where `true` has `from`; `sign` is the balance it weighs on: see pairs.ts. */
export interface Foil {
  kind: EditKind
  text: string
  from: string
  to: string
  sign: -1 | 0 | 1
}

/** What a paper offers to replace with: values by unit, and names that stand side by side. */
export interface Stock {
  values: ReadonlyMap<string, ReadonlyMap<string, number>>
  siblings: ReadonlyMap<string, ReadonlySet<string>>
  /** "SEB cells": names with the small word that follows them somewhere. */
  follow: ReadonlySet<string>
}
