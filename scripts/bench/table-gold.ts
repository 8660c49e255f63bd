/**
 * Holds answers executed from tables against an executor of its own kind that reads the publisher's XML:
 * npm run bench:tables -- --corpus DIR [--corpus DIR…] [--seeds N] [--show N] [--documents FOLDER]
 *
 * DIR holds `<slug>.xml` or `<slug>.nxml` (JATS), and `<slug>.pdf` where there is one: items made of the PDF
 * are held against the same XML. Items are those of all seeds from 1 to N, each once. --documents keeps
 * parsed documents in a folder that is there, for the next time.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Document } from '../../shared/contracts/document.ts'
import { idOf, paperIdOf } from '../../shared/contracts/hash.ts'
import type { Item } from '../../shared/contracts/item.ts'
import { groupBy } from '../../services/parsing/domain/group.ts'
import { parseLimits } from '../../services/parsing/parse-pdf.ts'
import { parsePaper } from '../../services/parsing/parse.ts'
import { isomorphOf } from '../../services/generation/domain/tables/isomorph.ts'
import { tableItems } from '../../services/generation/domain/tables/tables.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true, default: [] },
    documents: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    show: { type: 'string', default: '20' }
  }
})
if (values.corpus.length === 0) {
  console.error('Say where the papers are: npm run bench:tables -- --corpus DIR')
  process.exit(2)
}

type Source = 'jats' | 'pdf' | 'isomorph'
interface Asked { key: string, xml: string, slug: string, source: Source, item: Item }
interface Told { key: string, agrees: boolean, why: string }

const asked: Asked[] = []
const refused = new Map<string, number>()
const tables = { jats: 0, pdf: 0 }
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

async function ask (
  file: string, { slug, xml, source }: { slug: string, xml: string, source: 'jats' | 'pdf' }
): Promise<void> {
  const document = await read(file, { slug, source })
  const seen = new Set<string>()
  for (const { id, label } of document.tables) {
    tables[source]++
    for (let seed = 1; seed <= Number(values.seeds); seed++) {
      const { items, rejections } = tableItems(document, id, {
        generationId: idOf('generation', seed),
        recipe: { strategy: 'tables', kinds: ['choice', 'binary'], pairsPerFigureMax: 3, seed, review: false }
      })
      for (const { reason } of rejections.filter(({ kind }) => seed === 1 && kind === 'choice')) {
        refused.set(`${source} ${reason}`, (refused.get(`${source} ${reason}`) ?? 0) + 1)
      }
      for (const item of items) {
        const meaning = JSON.stringify([item.provenance.arguments, item.answerIndex, item.choices])
        if (seen.has(meaning)) continue
        seen.add(meaning)
        const place = { xml, slug }
        asked.push({ key: `${source} ${slug} ${label} ${asked.length}`, source, item, ...place })
        if (source !== 'jats' || item.kind !== 'choice') continue
        variants.asked++
        const variant = isomorphOf(item, 'bench')
        if (variant === undefined) continue
        variants.made++
        asked.push({ key: `isomorph ${slug} ${label} ${asked.length}`, source: 'isomorph', item: variant, ...place })
      }
    }
  }
}

/** Parsed once, when there is a folder to keep documents in. */
async function read (file: string, { slug, source }: { slug: string, source: 'jats' | 'pdf' }): Promise<Document> {
  const kept = values.documents === undefined ? undefined : join(values.documents, `${slug}.${source}.json`)
  if (kept !== undefined && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Document
  const bytes = readFileSync(file)
  const paperId = paperIdOf(bytes)
  const { document: draft } = await parsePaper(bytes, { paperId, format: source, limits: parseLimits })
  const document = { ...draft, documentHash: idOf('document', draft) } as Document
  if (kept !== undefined) writeFileSync(kept, JSON.stringify(document))
  return document
}

function execute (all: readonly Asked[]): Map<string, Told> {
  const input = all.map(({ key, xml, item: { question, choices, answerIndex, provenance } }) => {
    // What is asked, in words: the executor is to find the numbers itself.
    const { excerpt: _, ...words } = provenance.arguments ?? {}
    const texts = choices?.map(({ text }) => text)
    return JSON.stringify({ key, xml, question, arguments: words, choices: texts, answerIndex })
  }).join('\n')
  const script = join(import.meta.dirname, 'table-gold-executor.py')
  const { stdout, stderr, status } = spawnSync('python3', [script], { input, maxBuffer: 2 ** 28, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The executor failed: ${stderr}`)
  const told = stdout.trim().split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Told)
  return new Map(told.map(one => [one.key, one]))
}

function report (told: Map<string, Told>): void {
  for (const source of ['jats', 'pdf', 'isomorph'] as const) {
    const own = asked.filter(one => one.source === source)
    const places = new Set(own.map(({ slug, item }) => `${slug} ${item.place}`))
    const papers = new Set(own.map(({ slug }) => slug))
    console.log(`\nItems made of ${source}: ${own.length} of ${places.size} tables of ${papers.size} papers`)
    const byOperation = groupBy(own, ({ item }) => item.slices.operation ?? '')
    for (const [operation, some] of [...byOperation].sort()) print(operation, some, told)
    print('all', own, told)
  }
  console.log(`\nIsomorphs: ${variants.made} of ${variants.asked} choice items of jats`)
  // A check that agrees with everything is none: with the key moved to the next choice it must not agree.
  const planted = asked.map(one => ({ ...one, item: miskeyed(one.item) }))
  const found = [...execute(planted).values()].filter(({ agrees }) => !agrees).length
  console.log(`Planted wrong keys found: ${found} of ${planted.length}`)
  console.log(`Tables looked at: ${tables.jats} of jats, ${tables.pdf} of pdf. No choice items of, by reason:`)
  for (const [reason, count] of [...refused].sort()) console.log(`  ${reason}: ${count}`)
  for (const { key, item } of oneOfEach(told).slice(0, Number(values.show))) {
    const choices = item.choices?.map(({ text }, i) => i === item.answerIndex ? `*${text}` : text).join(' | ')
    const { excerpt: _, ...words } = item.provenance.arguments ?? {}
    console.log(`\n${key}: ${told.get(key)?.why ?? 'not answered'}\n  ${item.question}\n  ${choices}\n  ${JSON.stringify(words)}`)
  }
}

function miskeyed (item: Item): Item {
  const { answerIndex = 0, choices = [] } = item
  return { ...item, answerIndex: (answerIndex + 1) % choices.length }
}

/** Disagreements, one for each table and reason. */
function oneOfEach (told: Map<string, Told>): Asked[] {
  const wrong = asked.filter(({ key }) => told.get(key)?.agrees !== true)
  const byKind = groupBy(wrong, ({ source, slug, item, key }) =>
    `${source} ${slug} ${item.place} ${told.get(key)?.why.slice(0, 16)}`)
  return [...byKind.values()].flatMap(group => group.slice(0, 1))
}

function print (name: string, own: readonly Asked[], told: Map<string, Told>): void {
  const agreed = own.filter(({ key }) => told.get(key)?.agrees === true).length
  if (own.length === 0) return console.log(`  ${name}: none`)
  console.log(`  ${name.padEnd(14)} ${agreed} of ${own.length} = ${(100 * agreed / own.length).toFixed(2)} %`)
}
