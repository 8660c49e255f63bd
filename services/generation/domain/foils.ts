/** What could be said wrongly in a claim: every edit of exactly one fact. */
import { factsIn, type Fact } from '../../../shared/text/facts.ts'
import { withoutTrivia } from '../../../shared/text/trivial-facts.ts'
import type { Claim } from './claims.ts'
import type { Foil, Stock } from './foil.ts'
import { namesIn } from './names.ts'
import { countFoils, numberFoils } from './number-foils.ts'
import { contrastFoils, oppositeFoils, withArticle } from './word-foils.ts'

/** All foils of a claim, each kind's best first. */
export function foilsOf ({ text: claim, phrase }: Claim, stock: Stock): Foil[] {
  const values = [...numberFoils(claim, stock), ...countFoils(claim)]
  // Without a verb nothing is claimed but what is counted and measured.
  if (phrase === true) return values
  return [
    ...values,
    ...entityFoils(claim, stock),
    ...oppositeFoils(claim),
    ...contrastFoils(claim),
    ...negationFoils(claim)
  ]
}

/** A value measured, rather than the circumstance it was measured in. */
function measures (claim: string, { value, unit, start, end }: Fact): boolean {
  return value !== undefined && unit !== '' && claim[end] !== '-' &&
    !/\b(?:within|after|for|at|during|before|until|under|above|below) (?:only |about )?$/u.test(claim.slice(0, start))
}

/**
 * One name for another that the paper sets beside it, and puts before the same word, where the
 * claim holds a value. Anything else might hold for the other name too.
 */
function entityFoils (claim: string, { siblings, follow }: Stock): Foil[] {
  const all = factsIn(claim)
  if (!all.some(fact => measures(claim, fact)) || all.some(({ kind }) => kind === 'negation')) return []
  if (/\bthan\b/u.test(claim)) return []
  const facts = namesIn(withoutTrivia(claim))
  return facts.flatMap(({ text, start, end }) => {
    if (facts.filter(other => other.text === text).length > 1) return []
    if (start > 0 && !/\s\p{Ll}[\p{Ll}-]{0,30}[,)]? $/u.test(` ${claim.slice(0, start)}`.slice(-34))) return []
    if (!/^(?:,? \p{Ll}|[,.]?$)/u.test(claim.slice(end))) return []
    const next = /^ (\p{Ll}+)/u.exec(claim.slice(end))?.[1]
    return [...siblings.get(text) ?? []]
      .filter(to => next === undefined || follow.has(`${to} ${next}`))
      .filter(to => !facts.some(({ text }) => sameName(text, to)))
      .map((to): Foil => ({ kind: 'entity', text: claim.slice(0, start) + to + claim.slice(end), from: text, to, sign: 0 }))
  })
}

const auxiliary = /\b(?:is|are|was|were|can)\b(?! not\b)/gu

/** LiFePO4/C and LiFePO4/carbon are one: the last part of one opens that of the other. */
function sameName (a: string, b: string): boolean {
  const [one = '', other = ''] = [a, b].map(name => name.toLowerCase())
  const compound = [a, b].every(name => /[-/·]\p{L}+$/u.test(name))
  return a === b || (compound && (one.startsWith(other) || other.startsWith(one)))
}

/** The one auxiliary of a claim gains or loses its "not". */
function negationFoils (claim: string): Foil[] {
  const negated = Array.from(claim.matchAll(/\b(is|are|was|were) not /gu))
  const others = factsIn(claim).filter(({ kind }) => kind === 'negation').length
  if (/^Fig|\b(?:noteworthy|interesting|important|remarkable|possible|prone|able|omitted|used|applied|performed|analy[sz]ed)\b/u.test(claim)) return []
  const [first] = negated
  if (first !== undefined) {
    if (negated.length > 1 || others > 1) return []
    const text = claim.replace(first[0], `${first[1]} `)
    return [{ kind: 'negation', text, from: `${first[1]} not`, to: first[1] ?? '', sign: -1 }]
  }
  const none = /\b(show|shows|showed|is|are|was|were|has|have|had|found|observed) no (?!longer|more|less)(?=\p{Ll}{4})/u.exec(claim)
  if (none !== null && others === 1) {
    const from = none.index + none[0].length - 3
    const article = /^\p{L}+s\b/u.test(claim.slice(from + 3)) ? '' : 'a '
    return [{ kind: 'negation', text: withArticle(claim.slice(0, from) + article + claim.slice(from + 3), from + article.length), from: 'no', to: article.trim(), sign: -1 }]
  }
  const plain = Array.from(claim.matchAll(auxiliary))
  const verb = plain[0]
  if (plain.length !== 1 || verb === undefined || others > 0) return []
  if (/\b(?:which|that|who|where|when|while)\b/u.test(claim.slice(0, verb.index))) return []
  const at = verb.index + verb[0].length
  if (verb[0] === 'can') return [{ kind: 'negation', text: `${claim.slice(0, at)}not${claim.slice(at)}`, from: 'can', to: 'cannot', sign: 1 }]
  return [{ kind: 'negation', text: `${claim.slice(0, at)} not${claim.slice(at)}`, from: verb[0], to: `${verb[0]} not`, sign: 1 }]
}
