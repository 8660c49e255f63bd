/** People's answers as the analysis of them reads them, from a table or from the runs of sittings. */
import { Type, type Static } from 'typebox'
import { groupedBy } from '../../judging/domain/summary/numbers.ts'
import { isChoice } from '../compare/measured.ts'
import { isCounted, type ScoredChoice } from '../scored.ts'
import { meanOf, Name, wrong, type AnalysedRun } from './analysis.ts'
import { ValuedItem, valuedItems } from './item-means.ts'

const closed = { additionalProperties: false }

export const PersonItem = Type.Object({
  ...ValuedItem.properties,
  answered: Type.Boolean({ default: true, description: 'Whether it was answered in time; what was not is worth 0.' }),
  answer: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Which choice, in the item\'s own order: for majority and agreement.' })),
  seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6 }))
}, closed)

export const PersonsTable = Type.Object({
  persons: Type.Array(Type.Object({
    person: Name, expertise: Type.Optional(Name), items: Type.Array(PersonItem, { maxItems: 5_000 })
  }, closed), { minItems: 1, maxItems: 100 }),
  models: Type.Array(Type.Object({
    model: Name, items: Type.Array(ValuedItem, { maxItems: 50_000 })
  }, closed), { maxItems: 100, default: [] })
}, closed)
export type PersonsTable = Static<typeof PersonsTable>

/** One item of one person; repeats of it are taken together. */
export interface Answered {
  item: string
  person: string
  /** The paper; where all are of one, the minimal pair or the item itself. */
  cluster: string
  pairId?: string
  /** What was not answered in time is worth 0. */
  value: number
  answered: boolean
  answer: number | null
  seconds: number | null
}

export interface Person { name: string, expertise: string | null, items: ReadonlyMap<string, Answered> }

/** @param onePaper  whether items stand in place of clusters */
export function personsOf ({ persons }: PersonsTable, onePaper: boolean): Person[] {
  return persons.map(({ person: name, expertise = null, items }) => {
    const groups = groupedBy(items, ({ item }) => item)
    const own = [...groups].map(([item, given]): [string, Answered] =>
      [item, together(name, given, onePaper)])
    return { name, expertise, items: new Map(own) }
  })
}

type Given = Static<typeof PersonItem>

function together (person: string, own: readonly Given[], onePaper: boolean): Answered {
  const { item, paper, pair } = own[0]!
  const alone = pair === undefined ? `item ${item}` : `pair ${pair}`
  return {
    item,
    person,
    cluster: onePaper ? alone : paper ?? `item ${item}`,
    ...pair !== undefined && { pairId: pair },
    value: meanOf(own.map(({ value, answered }) => answered ? value : 0))!,
    answered: own.some(({ answered }) => answered),
    answer: own.find(({ answer, answered }) => answered && answer !== undefined)?.answer ?? null,
    seconds: meanOf(own.flatMap(({ seconds }) => seconds ?? []))
  }
}

/** Runs of sittings are the persons, one each however many sittings; all others the models. */
export function personsOfRuns (runs: readonly AnalysedRun[]): PersonsTable {
  const persons = new Map<string, PersonsTable['persons'][number]>()
  const models: PersonsTable['models'] = []
  for (const { name, model, sitting, rows } of runs) {
    if (sitting === undefined) {
      models.push({ model: name, items: valuedItems(rows) })
      continue
    }
    const own = persons.get(model) ?? {
      person: model, ...sitting.expertise !== null && { expertise: sitting.expertise }, items: []
    }
    own.items.push(...rows.filter(isChoice).filter(row => isCounted(row.outcome)).map(personItem))
    persons.set(model, own)
  }
  if (persons.size === 0) throw wrong('/runIds', 'None of these runs is a person\'s; POST /v1/sittings opens a sitting, and closing it makes its run.')
  return { persons: [...persons.values()], models }
}

function personItem (row: ScoredChoice): Given {
  const seconds = row.sitting?.seconds ?? null
  return {
    ...valuedItems([row])[0]!,
    answered: row.outcome === 'answered',
    ...row.answerIndex !== null && { answer: row.answerIndex },
    ...seconds !== null && { seconds }
  }
}
