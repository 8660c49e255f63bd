/**
 * The words by which problem, solution and result sentences are known. They are data: a file a
 * language in `../keywords`, in the sizes that AutoPaperBench names (about 15, 20 and 15), to be
 * extended there. The weight says how plainly a word speaks: "we propose" announces a solution,
 * "use" may stand anywhere. Forms are whole words in lower case, or phrases where the word alone
 * means too much ("as a result"); where words take endings (`stems`), they are how words begin.
 */
import english from '../keywords/en.json' with { type: 'json' }
import korean from '../keywords/ko.json' with { type: 'json' }

export const highlightKinds = ['problem', 'solution', 'results'] as const
export type HighlightKind = typeof highlightKinds[number]

export interface Keyword {
  keyword: string
  /** 1 to 3. */
  weight: number
  forms: readonly string[]
}

export interface KeywordFile extends Record<HighlightKind, readonly Keyword[]> {
  /** BCP 47. */
  language: string
  stems?: boolean
  /** What a structured abstract calls its parts, by the list each part belongs to. */
  labels: Record<HighlightKind, readonly string[]>
  /** A keyword so soon after one of these is about the paper itself: "we propose". */
  ownWork: readonly string[]
  /** A keyword near one of these says the opposite: "did not improve". */
  negationsBefore: readonly string[]
  negationsAfter: readonly string[]
}

export const keywordFiles: readonly KeywordFile[] = [english, korean]

export interface Hit { keyword: Keyword, at: number }

/** Longest stem in letters. */
const stemMax = 8

/** Forms by their first word, longest first; stems as they are. */
interface Index {
  forms: Map<string, Array<{ words: string[], keyword: Keyword }>>
  stems: Map<string, Keyword>
}

/** Finds the keywords of one list in a sentence's words (lower case); the longest form counts. */
export function keywordFinder (
  files: readonly KeywordFile[], kind: HighlightKind
): (words: readonly string[]) => Hit[] {
  const index: Index = { forms: new Map(), stems: new Map() }
  for (const file of files) {
    for (const keyword of file[kind]) {
      for (const form of keyword.forms) addForm(index, form, { keyword, file })
    }
  }
  for (const forms of index.forms.values()) forms.sort((a, b) => b.words.length - a.words.length)
  return words => words.flatMap((_, at) => {
    const keyword = formAt(words, at, index) ?? stemOf(words[at] ?? '', index)
    return keyword === undefined ? [] : [{ keyword, at }]
  })
}

interface From { keyword: Keyword, file: KeywordFile }

function addForm ({ forms, stems }: Index, form: string, { keyword, file }: From): void {
  if (file.stems === true) {
    stems.set(form, keyword)
    return
  }
  const words = form.split(' ')
  forms.set(words[0]!, [...forms.get(words[0]!) ?? [], { words, keyword }])
}

function formAt (words: readonly string[], at: number, { forms }: Index): Keyword | undefined {
  const found = forms.get(words[at] ?? '')?.find(form => form.words.every((word, i) => words[at + i] === word))
  return found?.keyword
}

function stemOf (word: string, { stems }: Index): Keyword | undefined {
  for (let length = Math.min(stemMax, word.length); length > 0; length--) {
    const found = stems.get(word.slice(0, length))
    if (found !== undefined) return found
  }
  return undefined
}

/** Which list a part of a structured abstract belongs to, by its label in lower case. */
export function labelsOf (files: readonly KeywordFile[]): ReadonlyMap<string, HighlightKind> {
  return new Map(files.flatMap(({ labels }) =>
    highlightKinds.flatMap(kind => labels[kind].map(label => [label, kind] as const))))
}

/** All words of one of the files' small lists. */
export function listOf (
  files: readonly KeywordFile[], list: 'ownWork' | 'negationsBefore' | 'negationsAfter'
): ReadonlySet<string> {
  return new Set(files.flatMap(file => file[list]))
}
