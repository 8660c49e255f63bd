/** The README.md of each folder that is exported. */
import { stringify } from 'yaml'
import type { Bank, Benchmark, Source } from '../../../../shared/contracts/benchmark.ts'
import { baselineLines, proxyLine } from '../../baselines/domain/card.ts'
import { agreementLines, diversityLines } from './card-lines.ts'
import type { ContextOptions } from './context.ts'
import { itemColumns } from './item-table.ts'
import { paperColumns } from './paper-table.ts'
import { cardFeatures } from './table.ts'

export interface CardFacts {
  benchmark: Benchmark
  canary: string
  languages: readonly string[]
}

/**
 * The card of a Hugging Face folder: a config for each kind and one for the papers, each with the
 * split test, and what the benchmark's data card says.
 */
export function datasetCard ({ benchmark, canary, languages }: CardFacts): string {
  const kinds = Object.keys(benchmark.card.byKind).sort()
  const { sources = [], banks = [] } = benchmark.card
  const configs = [...kinds, ...benchmark.papers.length === 0 ? [] : ['papers']]
  const front = {
    pretty_name: benchmark.name.replaceAll(unreadable, ' '),
    language: languages.filter(language => language !== 'und'),
    license: licenceOf([...sources, ...banks]),
    task_categories: ['question-answering', ...kinds.includes('choice') ? ['multiple-choice'] : [], ...kinds.some(kind => kind === 'vqa' || kind === 'binary') ? ['visual-question-answering'] : []],
    size_categories: [sizeOf(benchmark.card.itemCount)],
    tags: ['viva', ...sources.length > 0 || banks.length === 0 ? ['research-papers'] : [], ...banks.length > 0 ? ['item-bank'] : []],
    configs: configs.map((name, index) => ({
      config_name: name, data_files: [{ split: 'test', path: `data/${name}/test.parquet` }], ...index === 0 && { default: true }
    })),
    dataset_info: configs.map(name => ({
      config_name: name, features: cardFeatures(name === 'papers' ? paperColumns : itemColumns)
    }))
  }
  // Its readers know YAML 1.1, to which a bare no, Norwegian, is false and a bare yes true.
  return `---\n${stringify(front, { lineWidth: 0, version: '1.1' })}---\n${cardBody(benchmark, canary)}
## Loading

\`load_dataset(FOLDER, CONFIG, split="test")\`, where CONFIG is one of ${configs.join(', ')}. Columns are named as in \`items.jsonl\`; \`images\` are the pictures of \`figureIds\` in their order, or those of an item of a bank with \`imageTimes\` beside them; \`choiceImages\` are the pictures of the choices that \`choiceImageIds\` names; \`slices\`, \`checks\` and \`provenance\` are JSON.${configs.includes('papers') ? ' `papers` has the text that the items are about, joined by `documentHash`.' : ''}
`
}

/** What the data card says, as Markdown. Names and titles are text, never markup. */
export function cardBody ({ id, version, name, card }: Benchmark, canary: string): string {
  const { banks = [] } = card
  const list = (title: string, lines: readonly string[]) => lines.length === 0 ? [] : [`## ${title}`, lines.map(line => `- ${plain(line)}`).join('\n')]
  const counts = (of: Record<string, number> | undefined) => Object.entries(of ?? {}).map(([key, count]) => `${key}: ${count}`)
  return `${[
    `# ${plain(name)}`,
    `${card.itemCount} items, ${card.paperCount} papers${banks.length === 0 ? '' : `, ${banks.length} item ${banks.length === 1 ? 'bank' : 'banks'}`}; benchmark \`${id}\`, version \`${version}\`.`,
    plain(canary),
    ...list('Notes', card.notes),
    ...list('Limits', card.limits ?? []),
    ...list('Kinds', counts(card.byKind)),
    ...list('Verdicts', counts(card.byVerdict)),
    ...list('Decisions of people', counts(card.byDecision)),
    ...list('Left out when freezing', counts(card.leftOut)),
    ...list('Drafts that became no item', counts(card.rejections)),
    ...list('Without reading', (card.proxies ?? []).map(proxyLine)),
    ...list('Partial-input baselines', (card.partialInput ?? []).flatMap(baselineLines)),
    ...list('Diversity', diversityLines(card.diversity)),
    ...list('Agreement of people', agreementLines(card.agreement)),
    ...list('Models', (card.models ?? []).map(({ name, family, role, items }) => `${role} ${name} (family ${family}): ${items} items`)),
    ...list('Method', methodLines(card.method)),
    ...list('Sources', [...(card.sources ?? []).map(sourceLine), ...banks.map(bankLine)])
  ].join('\n\n')}\n`
}

function methodLines (method: Benchmark['card']['method']): string[] {
  if (method === undefined) return []
  return [
    ...method.generations.map(({ id, recipe, prompts, itemCount }) =>
      `Generation ${id}: strategy ${recipe.strategy}, seed ${recipe.seed}, ${itemCount} items${promptNames(prompts)}`),
    ...(method.imports ?? []).map(({ id, format, rowCount, itemCount }) =>
      `Import ${id}: format ${format ?? 'unknown'}, ${itemCount} items of ${rowCount} rows`),
    ...(method.curations ?? []).map(({ id, steps, itemCount }) =>
      `Curation ${id}: ${steps.map(({ step }) => step).join(', ')}; ${itemCount} items`),
    ...method.reviewings.map(({ id, recipe, prompts }) =>
      `Reviewing ${id}: strategy ${recipe.strategy}${promptNames(prompts)}`)
  ]
}

const promptNames = (prompts: ReadonlyArray<{ name: string, hash: string }>) =>
  prompts.length === 0 ? '' : `; prompts ${prompts.map(({ name, hash }) => `${name} (${hash.slice(0, 12)})`).join(', ')}`

const bankLine = ({ name, importId, licence, release }: Bank) => `Item bank ${name} (${importId}); licence: ${licence}; release: ${release}`

const sourceLine = ({ paperId, title, licence }: Source) => `${title || 'Without a title'} (${paperId}); licence: ${licence}`

/** What a run of the folder needs to know beside the card. */
export function contextNote ({ contentMode, contextTokens }: ContextOptions): string {
  return `Each question comes with text of its paper: content mode \`${contentMode}\`, at most ${contextTokens} tokens (bytes / 4), the abstract first where the mode is \`sections\`. What did not fit is named in \`leftOut\`.`
}

/** What a reader of YAML refuses, or takes for the end of a line. */
const unreadable = /[\p{Cc}\u2028\u2029\uFFFE\uFFFF]+/gu

/** Of all papers, where all agree; Hugging Face's own words otherwise. */
function licenceOf (sources: ReadonlyArray<Pick<Source, 'licence'>>): string {
  const names = new Set(sources.map(({ licence }) => licence))
  if (names.size === 0 || names.has('unknown')) return 'unknown'
  const [only] = names
  return names.size === 1 && /-\d\.\d$/.test(only!) ? only!.toLowerCase() : 'other'
}

function sizeOf (count: number): string {
  return count < 1_000 ? 'n<1K' : count < 10_000 ? '1K<n<10K' : '10K<n<100K'
}

/** One line of text that Markdown and HTML leave as it is. */
export function plain (text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|!~$]/g, '\\$&').replaceAll('\\<', '&lt;').replaceAll('\\>', '&gt;')
}
