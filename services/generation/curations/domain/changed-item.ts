/** Items are never changed: what a step makes of one is another, with its parent's id. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import { withoutModel, type Check, type Item, type Provenance } from '../../../../shared/contracts/item.ts'

export const curationVersion = '1'

export interface Changing {
  /** What the step is called. */
  step: string
  seed: number
  changes: Partial<Item>
  /** Of a model that wrote the change. */
  call?: Partial<Provenance>
  check?: Check
}

/** The child of an item: its id says of whom, by which step and with what. */
export function changedItem (parent: Item, { step, seed, changes, call, check }: Changing): Item {
  const content = { ...changes, ...check !== undefined && { check } }
  return {
    ...parent,
    ...changes,
    id: idOf('item', { parentId: parent.id, step, seed, version: curationVersion, content }),
    parentId: parent.id,
    checks: check === undefined ? changes.checks ?? parent.checks : [...parent.checks, check],
    provenance: {
      ...withoutModel,
      ...call,
      seed,
      strategy: `curation-${step}`,
      strategyVersion: curationVersion
    }
  }
}
