/**
 * Holds answers executed from tables against an executor of its own kind that reads the publisher's XML:
 * npm run bench:tables -- --corpus DIR [--corpus DIR…] [--seeds N] [--show N]
 *
 * DIR holds `<slug>.xml` or `<slug>.nxml` (JATS), and `<slug>.pdf` where there is one: items made of the PDF
 * are held against the same XML.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Document } from '../../shared/contracts/document.ts'
import type { Recipe } from '../../shared/contracts/generation.ts'
import { idOf, paperIdOf } from '../../shared/contracts/hash.ts'
import type { Item } from '../../shared/contracts/item.ts'
import { wilsonInterval } from '../../shared/stats/proportions.ts'
import { parseLimits } from '../../services/parsing/parse-pdf.ts'
import { parsePaper } from '../../services/parsing/parse.ts'
import { isomorphOf } from '../../services/generation/domain/tables/isomorph.ts'
import { tableItems } from '../../services/generation/domain/tables/tables.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true, default: [] },
    seeds: { type: 'string', default: '20' },
    show: { type: 'string', default: '20' }
  }
})
if (values.corpus.length === 0) {
  console.error('Say where the papers are: npm run bench:tables -- --corpus DIR')
  process.exit(2)
}

interface Asked { key: string, xml: string, slug: string, source: 'jats' | 'pdf' | 'isomorph', item: Item }
interface Told { key: string, agrees: boolean, why: string }

const asked: Asked[] = []
const refused = new Map<string, number>()
let tables = 0
const variants = { asked: 0, made: 0 }
for (const folder of values.corpus) {
  for (const file of readdirSync(folder).filter(file => /\.n?xml$/u.test(file)).sort()) {
    const xml = join(folder, file)
    const slug = basename(file, extname(file))
    await ask(xml, { slug, xml, source: 'jats' })
    const pdf = join(folder, `${slug}.pdf`)
    if (existsSync(pdf)) await ask(pdf, { slug, xml, source: 'pdf' })
  }
}
report(execute(asked))

async function ask (file: string, { slug, xml, source }: Pick<Asked, 'slug' | 'xml' | 'source'>): Promise<void> {
  const bytes = readFileSync(file)
  const limits = { ...parseLimits } as never
  const cached = process.env.TABLE_CACHE && `${process.env.TABLE_CACHE}/${slug}.${source}.json`
  const draft = cached && existsSync(cached) ? JSON.parse(readFileSync(cached, 'utf8')) : (await parsePaper(bytes, { paperId: paperIdOf(bytes), format: source as 'jats' | 'pdf', limits })).document
  if (cached) (await import('node:fs')).writeFileSync(cached, JSON.stringify(draft))
  const document = { ...draft, documentHash: idOf('document', slug) } as Document
  const seen = new Set<string>()
  for (const { id, label } of document.tables) {
    tables++
    for (let seed = 1; seed <= Number(values.seeds); seed++) {
      const recipe: Recipe = { strategy: 'tables', kinds: ['choice', 'binary'], pairsPerFigureMax: 3, seed, review: false }
      const { items, rejections } = tableItems(document, id, { generationId: idOf('generation', seed), recipe })
      for (const { reason, kind } of seed === 1 ? rejections : []) {
        if (kind === 'choice') refused.set(`${source} ${reason}`, (refused.get(`${source} ${reason}`) ?? 0) + 1)
      }
      for (const item of items) {
        const meaning = JSON.stringify(item.provenance.arguments) + item.answerIndex + JSON.stringify(item.choices)
        if (seen.has(meaning)) continue
        seen.add(meaning)
        asked.push({ key: `${source} ${slug} ${label} ${asked.length}`, xml, slug, source, item })
        const variant = source === 'jats' && item.kind === 'choice' ? isomorphOf(item, 'bench') : undefined
        if (source === 'jats' && item.kind === 'choice') variants.asked++
        if (variant === undefined) continue
        variants.made++
        asked.push({ key: `isomorph ${slug} ${label} ${asked.length}`, xml, slug, source: 'isomorph', item: variant })
      }
    }
  }
}

/** What is asked, in words; the executor is to find the numbers itself. */
function withoutNumbers ({ provenance }: Item): Record<string, unknown> {
  const { excerpt: _, ...words } = provenance.arguments ?? {}
  return words
}

function execute (all: readonly Asked[]): Map<string, Told> {
  const input = all.map(({ key, xml, item }) => JSON.stringify({
    key,
    xml,
    question: item.question,
    arguments: withoutNumbers(item),
    choices: item.choices?.map(({ text }) => text),
    answerIndex: item.answerIndex
  })).join('\n')
  const script = join(import.meta.dirname, 'table-gold-executor.py')
  const { stdout, stderr, status } = spawnSync('python3', [script], { input, maxBuffer: 2 ** 28, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The executor failed: ${stderr}`)
  const told = stdout.trim().split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Told)
  return new Map(told.map(one => [one.key, one]))
}

function report (told: Map<string, Told>): void {
  for (const source of ['jats', 'pdf', 'isomorph'] as const) {
    const own = asked.filter(one => one.source === source)
    console.log(`\nItems made of ${source}: ${own.length} of ${new Set(own.map(({ slug, item }) => slug + item.place)).size} tables`)
    const operations = [...new Set(own.map(({ item }) => item.slices.operation ?? ''))].sort()
    for (const operation of operations) print(operation, own.filter(({ item }) => item.slices.operation === operation), told)
    print('all', own, told)
  }
  console.log(`\nIsomorphs: ${variants.made} of ${variants.asked} choice items`)
  console.log(`\nTables looked at: ${tables}. Not asked about, by reason:`)
  for (const [reason, count] of [...refused].sort()) console.log(`  ${reason}: ${count}`)
  const kinds = new Set<string>()
  const wrong = asked.filter(({ key, slug, source, item }) => {
    const one = told.get(key)
    const kind = `${source} ${slug} ${item.place} ${one?.why.slice(0, 16)}`
    const isNew = one?.agrees !== true && !kinds.has(kind)
    if (isNew) kinds.add(kind)
    return isNew
  })
  for (const { key, item } of wrong.slice(0, Number(values.show))) {
    console.log(`\n${key}: ${told.get(key)?.why ?? 'not answered'}\n  ${item.question}\n  ${item.choices?.map(({ text }, i) => i === item.answerIndex ? `*${text}` : text).join(' | ')}\n  ${JSON.stringify(item.provenance.arguments)}`)
  }
}

function print (name: string, own: readonly Asked[], told: Map<string, Told>): void {
  const agreed = own.filter(({ key }) => told.get(key)?.agrees === true).length
  if (own.length === 0) return console.log(`  ${name}: none`)
  const { low } = wilsonInterval({ successes: agreed, trials: own.length })
  console.log(`  ${name.padEnd(14)} ${agreed} of ${own.length} = ${(100 * agreed / own.length).toFixed(2)} % (95 % from ${(100 * low).toFixed(2)} %)`)
}
