/** What a paper says, sentence by sentence, with the rows of its tables: where support is looked for. */
import type { Document } from '../contracts/document.ts'
import { inOneGo } from './in-one-go.ts'
import { passagesOf, type Passage } from './passages.ts'
import { splitSentences, type Sentence } from './sentences.ts'
import { termsOf } from './tokens.ts'

/** A sentence and where it stands; offsets are UTF-16 within its passage. */
export interface PlacedSentence extends Sentence { passage: Passage, terms: ReadonlySet<string> }

export interface Said {
  passages: Passage[]
  sentences: PlacedSentence[]
  /** Rows of tables with their header and caption, as text: searched for support, never quoted. */
  rows: Array<{ text: string, terms: ReadonlySet<string> }>
  /** ln((N + 1) / (n + 1)) + 1 over sentences. */
  idf: (term: string) => number
}

/** Of each document once, as long as the document itself is held. */
const known = new WeakMap<Document, Said>()

/** Linear in the length of the document the first time; nothing after that. */
export function saidIn (document: Document): Said {
  return inOneGo(saidInSteps(document))
}

/** As `saidIn`, and stops after each paragraph, so that a caller with other work may turn to it. */
export function * saidInSteps (document: Document): Generator<void, Said> {
  const said = known.get(document) ?? (yield * made(document))
  known.set(document, said)
  return said
}

function * made (document: Document): Generator<void, Said> {
  const passages = passagesOf(document)
  const sentences: PlacedSentence[] = []
  const frequency = new Map<string, number>()
  for (const passage of passages) {
    yield
    for (const sentence of splitSentences(passage.text)) {
      const terms = new Set(termsOf(sentence.text))
      sentences.push({ ...sentence, passage, terms })
      for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
    }
  }
  const rows: Said['rows'] = []
  for (const text of rowsOf(document)) {
    yield
    rows.push({ text, terms: new Set(termsOf(text)) })
  }
  return {
    passages,
    sentences,
    rows,
    idf: term => Math.log((sentences.length + 1) / ((frequency.get(term) ?? 0) + 1)) + 1
  }
}

function rowsOf ({ tables }: Document): string[] {
  return tables.flatMap(({ caption, rows }) => {
    const header = rows?.[0]?.join(' ') ?? ''
    return (rows ?? []).map(row => `${caption} ${header} ${row.join(' ')}`)
  })
}
