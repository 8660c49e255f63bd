/** Minimal pairs of yes/no questions about a paper's figures. */
import type { Figure } from '../../../shared/contracts/document.ts'
import { namedIn, type Named } from '../../../shared/text/figure-mentions.ts'
import type { PlacedSentence } from '../../../shared/text/said-sentences.ts'
import { nearDuplicates } from '../../../shared/text/similarity.ts'
import type { EditKind } from '../../../shared/text/support.ts'
import { supportOf } from '../../../shared/text/support.ts'
import { termsOf } from '../../../shared/text/tokens.ts'
import { claimsOf, phraseOf, type Claim, type ClaimOrFault } from './claims.ts'
import type { Foil } from './foil.ts'
import { foilsOf } from './foils.ts'
import { figureNumberOf, rankOf, type SourceText } from './source-text.ts'
import { fractionOf, shuffled } from './seeded.ts'
import { lowerCaseWordsOf, stockOf } from './stock.ts'
import { binaryQuestion } from './wording.ts'

/** A pair before it becomes two items. */
export interface Pair {
  figure: Figure
  sentence: PlacedSentence
  claim: Claim
  foil: Foil
  questions: { true: string, false: string }
  /** Place of the evidence's passage among the paper's best for the question, from 1. */
  rank: number
}

/** What was tried on a figure, and why it came to nothing: reason → how often. */
export interface FigurePairs { pairs: Pair[], faults: Record<string, number> }

interface Options { seed: number, pairsPerFigureMax?: number }

/** Most informative first; a kind is taken again only when every other has had its turn. */
const preference: readonly EditKind[] = ['percentage', 'number', 'entity', 'comparative', 'direction', 'contrast', 'negation']

/** Of a sentence that only follows a mention, these would hardly be about the figure. */
const looseKinds: ReadonlySet<EditKind> = new Set(['negation', 'contrast', 'entity'])

/**
 * Pairs of every figure that has a picture, chosen together: a sentence serves one figure only, and
 * in the whole paper claims turned from up to down and from down to up differ by at most one (those
 * that gain and lose a "not" by none), or the words alone would tell yes from no.
 */
export function pairsOf (source: SourceText, options: Options): Map<string, FigurePairs> {
  const taken = new Set<PlacedSentence>()
  const pictured = source.document.figures.filter(({ imageId }) => imageId !== null)
  const candidates = pictured.map(figure => candidatesOf(figure, source, options.seed))
  const surplus = fractionOf(options.seed, source.document.paperId) < 0.5 ? 1 : -1
  const balanced = new Set(balance(candidates.flatMap(({ pairs }) => pairs), surplus))
  const chosen = pictured.map((figure, i) => {
    const { pairs = [], faults = {} } = candidates[i] ?? {}
    const picked: Pair[] = []
    const used = new Map<EditKind, number>()
    const open = pairs.filter(pair => balanced.has(pair))
    while (picked.length < (options.pairsPerFigureMax ?? 0)) {
      const next = open.filter(pair => !taken.has(pair.sentence))
        .filter(pair => !picked.some(other => nearDuplicates(other.questions.true, pair.questions.true)))
        .sort((a, b) => (used.get(a.foil.kind) ?? 0) - (used.get(b.foil.kind) ?? 0))[0]
      if (next === undefined) break
      picked.push(next)
      taken.add(next.sentence)
      used.set(next.foil.kind, (used.get(next.foil.kind) ?? 0) + 1)
    }
    return { figure, pairs: picked, faults }
  })
  // Choosing may have tipped the balance again.
  const kept = new Set(balance(chosen.flatMap(({ pairs }) => pairs), surplus))
  return new Map(chosen.map(({ figure, pairs, faults }) =>
    [figure.id, { pairs: pairs.filter(pair => kept.has(pair)), faults }]))
}

/**
 * Drops pairs of the more frequent sign, last ones first, until the signs of each kind are even.
 * One may be left over, of a sign that depends on the paper, so that many papers are even too.
 */
function balance (pairs: readonly Pair[], surplus: -1 | 1): Pair[] {
  const dropped = new Set<Pair>()
  for (const kinds of [['direction', 'comparative'], ['contrast'], ['negation']]) {
    const of = (sign: number) => pairs.filter(({ foil }) => kinds.includes(foil.kind) && foil.sign === sign)
    const [up, down] = [of(1), of(-1)]
    const even = Math.min(up.length, down.length)
    const spare = (sign: number) => even + (sign === surplus && !kinds.includes('negation') ? 1 : 0)
    for (const pair of [...up.slice(spare(1)), ...down.slice(spare(-1))]) dropped.add(pair)
  }
  return pairs.filter(pair => !dropped.has(pair))
}

/** A sentence that does not name the figure and cites someone tells of other work. */
const cited = /\[\d{1,4}[\d,–\s-]{0,30}\]|\bet al\b|\p{L},? \(?(?:19|20)\d\d[a-z]?\)/u

/** One pair at most for each sentence about the figure, best kind of edit first. */
function candidatesOf (figure: Figure, source: SourceText, seed: number): FigurePairs {
  const faults: Record<string, number> = {}
  const blame = (fault: string) => { faults[fault] = (faults[fault] ?? 0) + 1 }
  const known = lowerCaseWordsOf(source)
  const stock = stockOf(source)
  const pairs: Pair[] = []
  for (const { sentence, named } of sentencesAbout(figure, source)) {
    if (!named && cited.test(sentence.text)) {
      blame('about-other-work')
      continue
    }
    for (const result of resultsOf(sentence, known)) {
      if ('fault' in result) {
        blame(result.fault)
        continue
      }
      if ([...namedIn(result.claim.text).figures].some(other => other !== figureNumberOf(figure))) {
        blame('points-elsewhere')
        continue
      }
      const foils = foilsOf(result.claim, stock)
        .filter(({ kind }) => named || !looseKinds.has(kind))
      if (foils.length === 0) blame('no-checkable-fact')
      // False numbers that were mostly the larger ones would tell themselves.
      const up = fractionOf(seed, 'side', result.claim.text) < 0.5
      const against = ({ larger }: Foil) => larger === undefined || larger === up ? 0 : 1
      const ordered = shuffled(foils, seed, ({ text }) => text)
        .sort((a, b) => preference.indexOf(a.kind) - preference.indexOf(b.kind) || against(a) - against(b))
        .slice(0, 12)
      const found = ordered.map(foil => pairOf({ figure, sentence, claim: result.claim, foil }, source))
      const good = found.filter(pair => typeof pair !== 'string')
      if (good.length === 0) for (const fault of new Set(found)) blame(String(fault))
      pairs.push(...onePerKind(good))
    }
  }
  return { pairs, faults }
}

/** Captions also tell, without a verb, what they show. */
function resultsOf ({ text, passage }: PlacedSentence, known: ReadonlySet<string>): ClaimOrFault[] {
  const results = claimsOf(text, known)
  if (passage.target.type !== 'figure') return results
  const phrase = phraseOf(text, known)
  return phrase === undefined ? results : [...results, { claim: phrase }]
}

function onePerKind (pairs: readonly Pair[]): Pair[] {
  return pairs.filter((pair, i) => pairs.findIndex(other => other.foil.kind === pair.foil.kind) === i)
}

function pairOf (draft: Omit<Pair, 'questions' | 'rank'>, source: SourceText): Pair | string {
  const { figure, sentence, claim, foil } = draft
  if (supportOf(foil, source, sentence) !== undefined) return 'false-member-supported'
  const questions = {
    true: binaryQuestion(figure, claim),
    false: binaryQuestion(figure, { ...claim, text: foil.text })
  }
  const rank = rankOf(source, sentence.passage, `${questions.true} Yes`)
  return rank === 0 ? 'evidence-ranks-low' : { ...draft, questions, rank }
}

const nothing: Named = { figures: new Set(), tables: new Set() }

/** Sentences after a mention that still are about the figure. */
const followersMax = 4

/** Terms a sentence shares with a caption when both are about the same. */
const sharedTermsMin = 3

/** `named`: in the caption, or naming the figure; else the next sentence, still about it as a rule. */
interface AboutFigure { sentence: PlacedSentence, named: boolean }

/**
 * Sentences that name this figure and no other, its caption's, those after a mention, and those of
 * a paragraph that names it which speak of what the caption does.
 */
export function sentencesAbout (figure: Figure, source: SourceText): AboutFigure[] {
  const number = figureNumberOf(figure)
  const about: AboutFigure[] = []
  let follows = 0
  const methods = new Set(source.document.sections
    .filter(({ kind }) => kind === 'methods').map(({ id }) => id))
  const mentioned = new Set(figure.mentions.map(({ paragraphId }) => paragraphId))
  const caption = new Set(termsOf(figure.caption))
  const akin = ({ passage: { target }, terms }: PlacedSentence) => mentioned.has(target.id ?? '') &&
    [...terms].filter(term => caption.has(term)).length >= sharedTermsMin
  for (const sentence of source.sentences) {
    const { type, id } = sentence.passage.target
    if (type === 'figure' && id === figure.id) about.push({ sentence, named: true })
    if (type !== 'paragraph') continue
    const { figures, tables } = source.named.get(sentence) ?? nothing
    const own = number !== undefined && figures.has(number)
    const elsewhere = tables.size > 0 || figures.size > (own ? 2 : 0)
    const named = own && !elsewhere
    const opens = sentence.start === 0
    const near = figures.size === 0 && !elsewhere && ((follows > 0 && !opens) || akin(sentence))
    if (named || near) about.push({ sentence, named })
    if (named && !methods.has(sentence.passage.sectionId ?? '')) follows = followersMax
    else follows = elsewhere || opens ? 0 : follows - 1
  }
  return about
}

/** Whether the true member comes first; even over many pairs. */
export function trueFirst (pair: Pair, seed: number): boolean {
  return fractionOf(seed, 'order', pair.questions.true) < 0.5
}
