/**
 * How much more diverse our choice among drafts is than others: npm run bench:diversity -- --papers DIR
 * [--cache DIR] [--parts 3,2] [--json FILE]
 *
 * DIR holds PDFs. Of the drafts of each paper, repeats left out, so large a part is chosen: by us, at random
 * (the mean of many draws) and by k-centre, in equal count, kinds and support rate. Weights were set on every
 * other paper, from the first; figures are of the others.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Item } from '../../shared/contracts/item.ts'
import type { Document } from '../../shared/contracts/document.ts'
import type { PaperDiversity } from '../../shared/text/diversity/compare.ts'
import { diversityOver, selectionOver } from '../../shared/text/diversity/summary.ts'
import { allDuplicatesAmong, unitsOf } from '../../shared/text/duplicates.ts'
import { resolveRecipe } from '../../services/generation/domain/recipe.ts'
import { selectItems } from '../../services/generation/domain/select-items.ts'
import { loadPrompts } from '../../services/generation/prompts.ts'
import { byFakeAuthor, withoutModel } from './diversity/drafts.ts'
import { comparisonTable } from './diversity/table.ts'
import { readPapers } from './evidence/papers.ts'

const { values } = parseArgs({
  options: {
    papers: { type: 'string' },
    cache: { type: 'string', default: '/tmp/viva-bench-evidence' },
    parts: { type: 'string', default: '3,2' },
    json: { type: 'string' }
  }
})
if (values.papers === undefined) {
  console.error('Say where the papers are: npm run bench:diversity -- --papers DIR')
  process.exit(2)
}

const papers = await readPapers(values.papers, values.cache)
const prompts = await loadPrompts()
const parts = values.parts.split(',').map(Number)
const results: Record<string, unknown> = {}
for (const [name, draftsOf] of [
  ['extractive and tables', async (document: Document) => withoutModel(document)],
  ['fake author', async (document: Document) => await byFakeAuthor(document, prompts)]
] as const) {
  const drafts: Item[][] = []
  for (const { document } of papers) drafts.push(await draftsOf(document))
  for (const [half, which] of ['papers the weights were set on', 'papers reported'].entries()) {
    for (const part of parts) {
      const began = performance.now()
      const found = papers.flatMap(({ document }, i) =>
        i % 2 === half ? [chosenFrom(drafts[i]!, document, part)] : [])
      const title = `${name}, one in ${part}, ${which} (${found.length})`
      console.log(comparisonTable(title, found))
      console.log(`${Math.round((performance.now() - began) / found.length)} ms a paper, comparisons included\n`)
      results[title] = { ...diversityOver(found), selection: selectionOver(found) }
    }
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)

/** As generation does at its end. */
function chosenFrom (drafts: readonly Item[], document: Document, part: number): PaperDiversity {
  const units = unitsOf(drafts)
  const repeats = allDuplicatesAmong(units)
  const distinct = units.filter(unit => !unit.some(({ id }) => repeats.has(id))).flat()
  const recipe = resolveRecipe({
    strategy: 'extractive',
    kinds: ['qa'],
    pairsPerFigureMax: 1,
    seed: 1,
    counts: { itemsPerPaper: Math.max(1, Math.ceil(distinct.length / part)) }
  })
  return selectItems(drafts, { document, recipe, kept: new Set() }).diversity
}
