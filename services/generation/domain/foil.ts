/** What a foil is, and what foils are made from. */
import type { Edit } from '../../../shared/text/support.ts'

/** `sign` is the balance it weighs on: see pairs.ts. */
export interface Foil extends Edit {
  sign: -1 | 0 | 1
  /** Of a number: whether the false one is the larger. */
  larger?: boolean
}

/** What a paper offers to replace with: values by unit, and names that stand side by side. */
export interface Stock {
  values: ReadonlyMap<string, ReadonlyMap<string, number>>
  siblings: ReadonlyMap<string, ReadonlySet<string>>
  /** "SEB cells": names with the small word that follows them somewhere. */
  follow: ReadonlySet<string>
}
