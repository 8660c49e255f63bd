import t from 'tap'
import type { Item } from '../../../shared/contracts/item.ts'
import { groundworkOf, itemsFor } from '../domain/extractive.ts'
import { planOf } from '../domain/plan.ts'
import { resolveRecipe } from '../domain/recipe.ts'
import { selectItems } from '../domain/select-items.ts'
import { smallDocument } from './fixtures/document.ts'

const document = smallDocument('1')
const recipeWith = (itemsPerPaper?: number) => resolveRecipe({
  strategy: 'extractive', kinds: ['qa', 'binary'], pairsPerFigureMax: 3, seed: 1, ...itemsPerPaper !== undefined && { counts: { itemsPerPaper } }
})
const groundwork = groundworkOf({ document, recipe: recipeWith(), generationId: `gen_${'0'.repeat(32)}` })
const drafts = planOf(document, recipeWith()).flatMap(place => itemsFor(place, groundwork).items)
const none = new Set<string>()
const ids = (items: readonly Item[]) => items.map(({ id }) => id)

t.test('without a cap all drafts become items but repeats, and get what rules tell of them', async t => {
  const { items, notTaken, diversity } = selectItems(drafts, { document, recipe: recipeWith(), kept: none })
  t.same(ids(items), ids(drafts))
  t.same([notTaken, diversity.rivals, diversity.items], [[], null, drafts.length])
  t.ok(items.every(({ slices }) => slices['questionClass'] !== undefined && slices['difficulty'] !== undefined))
  t.ok(items.every(({ slices, kind }) => (slices['figureType'] !== undefined) === (kind === 'binary')))

  const last = drafts.at(-1)!
  const again = drafts.filter(({ pairId }) => pairId === last.pairId)
    .map((item): Item => ({ ...item, id: `${item.id}again`, pairId: 'again', place: 'f3' }))
  const repeated = selectItems([...drafts, ...again], { document, recipe: recipeWith(), kept: none })
  t.same(ids(repeated.items), ids(drafts))
  t.same(repeated.notTaken.map(({ itemId, rejection: { reason, place } }) => [itemId, reason, place]), ids(again).map(id => [id, 'duplicate', 'f3']), 'both of a pair')
  t.same(ids(selectItems([...drafts, ...again], { document, recipe: recipeWith(), kept: new Set(ids(again)) }).items.slice(-2)), ids(again), 'what was an item stays one')
})

t.test('a cap takes the most diverse so many, pairs whole, and says what became of the others', async t => {
  const select = (cap: number, kept = none) =>
    selectItems(drafts, { document, recipe: recipeWith(cap), kept })
  for (const cap of [1, 5, 6]) {
    const { items, notTaken, diversity } = select(cap)
    t.ok(items.length <= cap && items.length >= cap - 1, `${items.length} of ${cap}`)
    const binary = items.filter(({ kind }) => kind === 'binary')
    t.equal(binary.filter(({ answerIndex }) => answerIndex === 0).length * 2, binary.length, 'half and half')
    t.equal(new Set(binary.map(({ pairId }) => pairId)).size * 2, binary.length)
    const left = notTaken.map(({ itemId }) => itemId)
    t.same([...ids(items), ...left].sort(), ids(drafts).sort(), 'each is one or the other')
    t.ok(notTaken.every(({ rejection: { reason } }) => reason === 'not-selected'))
    t.match(diversity, { items: items.length, of: drafts.length, rivals: { draws: 100 } })
    t.same(select(cap), select(cap), 'the same bytes')
    t.same(ids(select(cap, new Set(ids(items))).items), ids(items), 'ending again changes nothing')
  }
  const chosen = new Set(ids(select(6).items))
  const before = drafts.filter(({ pairId }) => pairId !== undefined).slice(0, 2)
  const after = select(6, new Set(ids(before))).items
  t.equal(after.length, 6)
  for (const { id } of before) t.ok(ids(after).includes(id), 'an end that came before is built on')
  t.ok(chosen.size === 6 && new Set(select(6).items.map(({ kind }) => kind)).size === 2, 'of each kind')
})

t.test('a cap goes with every strategy, other counts with a model only', async t => {
  const recipe = { kinds: ['choice' as const], pairsPerFigureMax: 1, seed: 1 }
  t.match(resolveRecipe({ ...recipe, strategy: 'tables', counts: { itemsPerPaper: 3 } }), { counts: { itemsPerPaper: 3 } })
  t.throws(() => resolveRecipe({ ...recipe, strategy: 'tables', counts: { itemsPerPaper: 3, vqaPerFigure: 1 } }), { kind: 'invalid-request', errors: [{ pointer: '/recipe/counts/vqaPerFigure' }] })
})
