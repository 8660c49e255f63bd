/** What people reach, how far they agree, and how far models are from them on the same items. */
import { quantileOfSorted } from '../../../../shared/stats/quantile.ts'
import type { ItemValue } from '../metrics/interval-of-mean.ts'
import { analysis, assertDistinct, meanOf, type Found, type Row } from './analysis.ts'
import { crossedEffect, type CrossedKind } from './crossed-effect.ts'
import { effectOf, noEffect, shareOf, type Effect } from './effect.ts'
import { differencesOf, itemMeans, type ItemMeans } from './item-means.ts'
import { alphaOf, kappaOf, majorityOf } from './person-agreement.ts'
import { personsOf, personsOfRuns, PersonsTable, type Answered, type Person } from './persons.ts'

export const humanCeiling = analysis({
  summary: 'What people reach: each of them, their mean, the best, their majority and each kind of expertise, with agreement, time, and the paired gap to models on the same items',
  rows: 'Rows of several sorts (about): person; persons, the mean of all; expertise, of those with one label; best; majority; agreement; gap, people minus a model on the items both have. Metric accuracy counts what was not answered in time as wrong, accuracy.answered leaves it out.',
  table: PersonsTable,
  options: {},
  example: { table: { persons: ['anna', 'ben'].map(person => ({ person, expertise: 'expert', items: [{ item: 'i', value: 1, answer: 0, seconds: 20 }, { item: 'j', value: person === 'anna' ? 1 : 0, answer: person === 'anna' ? 2 : 1, seconds: 35 }] })), models: [{ model: 'a', items: [{ item: 'i', value: 1 }, { item: 'j', value: 0 }] }] } },
  compute: ceilingOf,
  fromRuns: personsOfRuns
})

const share: CrossedKind = { range: [0, 1], difference: false }
const gap: CrossedKind = { range: [-1, 1], difference: true }
const time: CrossedKind = { range: [0, Infinity], difference: false }

function ceilingOf (table: PersonsTable): Found {
  assertDistinct(table.persons.map(({ person }) => person), '/table/persons')
  assertDistinct(table.models.map(({ model }) => model), '/table/models')
  const papers = new Set(table.persons.flatMap(({ items }) => items.map(({ item, paper }) => paper ?? `item ${item}`)))
  const persons = personsOf(table, papers.size === 1)
  const labels = [...new Set(persons.flatMap(({ expertise }) => expertise ?? []))].sort()
  const groups = labels.map(label =>
    ({ label, members: persons.filter(({ expertise }) => expertise === label) }))
  const best = bestOf(persons)
  const majority = majorityOf(persons)
  const models = table.models.map(({ model, items }) => ({ model, items: itemMeans(items) }))
  const rows = [
    ...persons.flatMap(person => personRows(person)),
    ...meanRows('persons', 'all', persons),
    ...groups.flatMap(({ label, members }) => meanRows('expertise', label, members)),
    rowOf({ about: 'best', who: best?.name ?? '' }, best === null ? noEffect('no item of any person') : accuracyOf(best)),
    rowOf({ about: 'majority', who: 'all' }, majority === null ? noMajority(persons) : shareOf([...majority.items.values()])),
    rowOf({ about: 'agreement', who: 'all', metric: 'alpha' }, alphaOf(persons)),
    rowOf({ about: 'agreement', who: 'all', metric: 'kappa' }, kappaOf(persons)),
    ...models.flatMap(({ model, items }) => [
      crossedGap('all', persons, { model, items }),
      ...groups.map(({ label, members }) => crossedGap(label, members, { model, items })),
      gapRow('best', best === null ? null : valuesOf(best), { model, items }),
      gapRow('majority', majority?.items ?? null, { model, items })
    ])
  ]
  const facts = { models: models.length, best, ties: majority?.ties ?? null }
  return { rows, summary: summaryOf(persons, facts), notes: notesOf(persons, papers.size) }
}

interface Heading { about: string, who: string, metric?: string, model?: string }

function rowOf (heading: Heading, effect: Effect & { persons?: number }): Row {
  const { about, who, metric = 'accuracy', model = '' } = heading
  const { persons = null, ...rest } = effect
  return { about, who, model, metric, ...rest, persons }
}

const all = ({ items }: Person): Answered[] => [...items.values()]
const answered = (person: Person): Answered[] => all(person).filter(each => each.answered)
const timed = (person: Person) => all(person).flatMap(each =>
  each.seconds === null ? [] : [{ ...each, value: each.seconds }])

const accuracyOf = (person: Person): Effect => shareOf(all(person))

function personRows (person: Person): Row[] {
  const heading = (metric: string) => ({ about: 'person', who: person.name, metric })
  const seconds = timed(person).map(({ value }) => value).sort((a, b) => a - b)
  const median = seconds.length === 0 ? noEffect('no item with a time') : { ...noEffect('a median has no interval here'), value: quantileOfSorted(seconds, 0.5), n: seconds.length, method: 'median' }
  return [
    rowOf(heading('accuracy'), accuracyOf(person)),
    rowOf(heading('accuracy.answered'), shareOf(answered(person))),
    rowOf(heading('seconds.median'), median),
    rowOf(heading('seconds'), seconds.length === 0
      ? noEffect('no item with a time')
      : { ...noEffect('one person: see persons'), value: meanOf(seconds), n: seconds.length, method: 'mean' })
  ]
}

function meanRows (about: string, who: string, persons: readonly Person[]): Row[] {
  return [
    rowOf({ about, who }, crossedEffect(persons.flatMap(all), share)),
    rowOf({ about, who, metric: 'accuracy.answered' }, crossedEffect(persons.flatMap(answered), share)),
    rowOf({ about, who, metric: 'seconds' }, crossedEffect(persons.flatMap(timed), time))
  ]
}

/** The first by name of those with the highest accuracy. */
function bestOf (persons: readonly Person[]): Person | null {
  const ranked = persons.filter(({ items }) => items.size > 0)
    .map(person => ({ person, mean: meanOf(all(person).map(({ value }) => value))! }))
    .sort((a, b) => b.mean - a.mean || (a.person.name < b.person.name ? -1 : 1))
  return ranked[0]?.person ?? null
}

function noMajority (persons: readonly Person[]): Effect {
  return noEffect(persons.length < 2 ? 'one person is no majority' : 'no item was answered by two persons with an answer told')
}

function valuesOf (person: Person): ItemMeans {
  return new Map([...person.items].map(([item, { value, cluster, pairId }]): [string, ItemValue] =>
    [item, { value, cluster, ...pairId !== undefined && { pairId } }]))
}

interface Model { model: string, items: ItemMeans }

function crossedGap (who: string, persons: readonly Person[], { model, items }: Model): Row {
  const differences = persons.flatMap(person => all(person)).flatMap(each => {
    const other = items.get(each.item)
    return other === undefined ? [] : [{ ...each, value: each.value - other.value }]
  })
  return rowOf({ about: 'gap', who, model }, crossedEffect(differences, gap))
}

/** Over papers alone: of these answers, not of people. */
function gapRow (who: string, values: ItemMeans | null, { model, items }: Model): Row {
  const effect = values === null ? noEffect(`there is no ${who}`) : effectOf(differencesOf(values, items), { width: 1 })
  return rowOf({ about: 'gap', who, model }, effect)
}

interface Facts { models: number, best: Person | null, ties: number | null }

function summaryOf (persons: readonly Person[], { models, best, ties }: Facts): Found['summary'] {
  const items = new Set(persons.flatMap(({ items }) => [...items.keys()]))
  const common = [...items].filter(item => persons.every(person => person.items.has(item)))
  const given = persons.flatMap(all)
  return {
    persons: persons.length,
    models,
    items: items.size,
    itemsOfAll: common.length,
    notAnswered: given.filter(each => !each.answered).length,
    best: best?.name ?? null,
    majorityTies: ties
  }
}

function notesOf (persons: readonly Person[], papers: number): string[] {
  return [
    'Yes/no and multiple choice alone: open questions have no pass mark. accuracy counts what a person declined, skipped, answered late or was not shown in time as wrong, as it does for models; accuracy.answered leaves all that out, and abstaining pays there.',
    'Intervals of means over people take persons and papers as samples (two-way clusters); those of one person, the best and the majority take papers alone, and say nothing of other people.',
    'The best person is chosen by these very answers, so that the value is too high for that person on other items. In a majority, answers that are level count their share.',
    ...papers === 1 && persons.some(({ items }) => items.size > 1) ? ['All items are of one paper, and stand in its place in means over people; nothing is said of other papers.'] : []
  ]
}
