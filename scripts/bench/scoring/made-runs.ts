/** A made benchmark and made runs of it: two abilities, papers that differ, replies of every outcome. */
import { encode } from 'fast-png'
import type { Benchmark, BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import type { Condition, Prediction } from '../../../shared/contracts/run.ts'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import { blankPrediction, errorPrediction } from '../../../services/scoring/domain/plan.ts'
import { questionOf } from '../../../services/scoring/domain/question.ts'
import { readReply } from '../../../services/scoring/domain/read-reply.ts'

export interface MadeSize { papers: number, itemsPerPaper: number, seed: number }

export interface MadeBenchmark {
  benchmark: Benchmark
  items: BenchmarkItem[]
  documents: Map<string, Document>
}

const words = 'alloy furnace hardness argon pressure sample grain phase anneal quench strain lattice copper carbon oxide surface gradient kelvin micron spectrum ratio increase decrease uniform porous brittle ductile layer vacuum current'.split(' ')

const sentence = (random: Random, length: number) =>
  `${Array.from({ length }, () => random.pick(words)).join(' ')} ${random.whole(10, 999)} percent.`

const id = (prefix: string, name: string) => `${prefix}_${sha256(name).slice(0, 32)}`
const box = [0, 0, 10, 10]

function documentOf (paper: number): Document {
  const name = `made paper ${paper}`
  const section = (at: number) => ({
    id: `s${at}`,
    number: String(at),
    title: ['Introduction', 'Methods', 'Results', 'Discussion'][at - 1]!,
    level: 1,
    parentId: null,
    kind: 'other' as const,
    runIn: false,
    page: 1,
    box,
    paragraphs: []
  })
  return {
    paperId: id('pap', name),
    documentHash: id('doc', name),
    schemaVersion: 1,
    parser: { engine: 'made', version: '1' },
    language: 'en',
    title: `Hardness of alloy ${paper} over temperature, pressure and the time that it was held there`,
    authors: [],
    abstract: { text: 'Made.', page: 1 },
    pages: [{ number: 1, width: 600, height: 800 }],
    sections: [1, 2, 3, 4].map(section),
    figures: [1, 2].map(at => ({
      id: `f${at}`,
      label: `Figure ${at}`,
      caption: 'Hardness over temperature.',
      page: 1,
      box,
      captionBox: box,
      imageId: sha256(`${name} ${at}`),
      width: 40,
      height: 30,
      sectionId: 's3',
      placedBy: 'mention' as const,
      mentions: []
    })),
    tables: [],
    equations: [],
    references: [],
    highlights: { problem: [], solution: [], results: [] },
    footnotes: [],
    warnings: []
  }
}

const kinds = ['binary', 'binary', 'choice', 'qa', 'binary', 'binary', 'choice', 'vqa'] as const
const places = ['abstract', 's1', 's2', 's3', 's4', 'f1', 'f2'] as const

interface Making { count: number, random: Random, domain: string }

function itemsOf (document: Document, { count, random, domain }: Making): BenchmarkItem[] {
  return Array.from({ length: count }, (_, at): BenchmarkItem => {
    const kind = kinds[at % kinds.length]!
    const second = kind === 'binary' && at % 2 === 1
    const place = kind === 'vqa' ? random.pick(['f1', 'f2']) : places[Math.floor(at / 2) % places.length]!
    const aspect = place === 'abstract' ? 'abstract' : place.startsWith('f') ? 'figure' : 'section'
    return {
      id: id('itm', `${document.paperId} ${at}`),
      kind,
      source: { paperId: document.paperId, documentHash: document.documentHash },
      place,
      figureIds: place.startsWith('f') ? [place] : [],
      question: kind === 'binary' ? `Is it true that ${sentence(random, 14)}` : `What is said of ${sentence(random, 10)}?`,
      ...kind === 'qa' || kind === 'vqa' ? { answer: Array.from({ length: 4 }, () => sentence(random, 12)).join(' ') } : {},
      ...kind === 'binary' ? { choices: [{ text: 'Yes' }, { text: 'No' }], answerIndex: second ? 1 : 0, pairId: `${document.paperId} ${Math.floor(at / 2)}` } : {},
      ...kind === 'choice' ? { choices: [0, 1, 2, 3].map(() => ({ text: sentence(random, 4) })), answerIndex: random.whole(0, 3) } : {},
      evidence: [],
      language: 'en',
      slices: { aspect, domain },
      checks: [],
      provenance: {
        strategy: 'model',
        strategyVersion: '1',
        seed: 1,
        prompt: null,
        promptHash: null,
        model: 'writer',
        upstreamVersion: null,
        sampling: null,
        requestHash: null
      },
      verdict: 'good'
    }
  })
}

export function madeBenchmark ({ papers, itemsPerPaper, seed }: MadeSize): MadeBenchmark {
  const random = seededRandom(seed)
  const documents = Array.from({ length: papers }, (_, at) => documentOf(at))
  const domains = ['medical', 'natural', 'engineering', 'other']
  const items = documents.flatMap((document, at) =>
    itemsOf(document, { count: itemsPerPaper, random, domain: domains[at % 4]! }))
  const count = (values: readonly string[]) => {
    const counts: Record<string, number> = {}
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1
    return counts
  }
  const version = sha256(JSON.stringify(items))
  const benchmark: Benchmark = {
    id: `bmk_${version.slice(0, 32)}`,
    version,
    name: 'Made alloys',
    reviewingIds: [],
    verdicts: ['good'],
    kinds: null,
    seed,
    papers: documents.map(({ paperId, documentHash, title }) => ({ paperId, documentHash, title })),
    card: {
      itemCount: items.length,
      pairCount: new Set(items.flatMap(({ pairId }) => pairId ?? [])).size,
      paperCount: papers,
      byKind: count(items.map(({ kind }) => kind)),
      byVerdict: { good: items.length },
      bySlice: { aspect: count(items.map(({ slices }) => slices.aspect!)) },
      leftOut: {},
      notes: []
    }
  }
  const byHash = new Map(documents.map(document => [document.documentHash, document]))
  return { benchmark, items, documents: byHash }
}

/** `ability` −3 to 3; `faults` is the share of items that end in error. */
export interface MadeRun {
  runId: string
  model: string
  condition: Condition
  ability: number
  faults?: number
}

/** What the run's model would have replied; an item's difficulty follows from its id. */
export function madePredictions (
  { items }: MadeBenchmark, { runId, model, ability, faults = 0 }: MadeRun
): Prediction[] {
  const random = seededRandom(Number.parseInt(sha256(`${runId} ${model}`).slice(0, 8), 16))
  return items.map(item => {
    if (random.chance(faults)) return errorPrediction(runId, item, 'The model server was gone.')
    const difficulty = 4 * (Number.parseInt(sha256(item.id).slice(0, 6), 16) / 2 ** 24) - 2
    const knows = random.chance(1 / (1 + Math.exp(-1.5 * (ability - difficulty))))
    const content = replyTo(item, random, knows)
    const finishReason = random.chance(0.02) ? 'length' : 'stop'
    const reply = { content, finishReason, refusal: random.chance(0.01) }
    return { ...blankPrediction(runId, item), ...readReply(questionOf(item), reply) }
  })
}

function replyTo (item: BenchmarkItem, random: Random, knows: boolean): string {
  if (item.choices !== undefined) {
    const guess = knows ? item.answerIndex! : random.whole(0, item.choices.length - 1)
    const label = item.kind === 'binary' ? ['Yes', 'No'][guess]! : 'ABCD'[guess]!
    return random.chance(0.9) ? `Because of what is shown.\nAnswer: ${label}` : random.chance(0.8) ? `The answer is **${label}**, I think.` : 'It is hard to say.'
  }
  const kept = item.answer!.split(' ').filter(() => random.chance(knows ? 0.7 : 0.25))
  return `${kept.join(' ')} ${sentence(random, 8)}`
}

/** Stripes in colours of the image's own. */
export function madeFigure (imageId: string): Buffer {
  const [width, height] = [96, 72]
  const colour = [0, 2, 4].map(at => Number.parseInt(imageId.slice(at, at + 2), 16))
  const isStripe = (at: number) => Math.floor(at / 24) % 2 === 0
  const length = width * height * 3
  const data = Uint8Array.from({ length }, (_, at) => isStripe(at) ? 255 : colour[at % 3]!)
  return Buffer.from(encode({ width, height, data, channels: 3, depth: 8 }))
}
