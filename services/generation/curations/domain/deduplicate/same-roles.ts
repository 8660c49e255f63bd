/**
 * English questions in whose words only the order differs, and that nevertheless ask the same: who does what
 * to whom is told by "by" or by "have … on" instead of by place.
 */

const auxiliaries = new Set(['do', 'does', 'did'])
const passives = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being'])
const having = new Set(['have', 'exert'])

/** As the caller compares words: whether two are one, and whether one stands in any question. */
interface Compared { same: (one: string, other: string) => boolean, isFrame: (word: string) => boolean }

type Words = readonly string[]

/** @param one,other  words of the two questions, in lower case, the same ones but for those of the frame */
export function keepsRoles (one: Words, other: Words, compared: Compared): boolean {
  const ways = [isPassiveOf, isNounOf, isFronted]
  return ways.some(way => way(one, other, compared) || way(other, one, compared))
}

/** Whether "by" tells who does it: "is moved by A", not "the part by which". Rather once too often. */
export function namesAgent (words: Words): boolean {
  const be = words.findIndex(word => passives.has(word))
  return be >= 0 && words.some((word, at) => word === 'by' && at > be + 1 && !/^(?:which|what)$/u.test(words[at + 1] ?? ''))
}

/** "the part by which A moves" against "by which part does A move": what else there is keeps its order. */
function isFronted (plain: Words, fronted: Words, { same, isFrame }: Compared): boolean {
  const at = plain.indexOf('which')
  const [head, preposition] = [plain[at - 2], plain[at - 1]]
  if (at < 2 || isFrame(head!)) return false
  const front = fronted.findIndex((word, i) =>
    word === preposition && fronted[i + 1] === 'which' && fronted[i + 2] === head)
  if (front < 0) return false
  const rest = plain.filter((word, i) => i !== at - 2 && !isFrame(word))
  const others = fronted.filter((word, i) => i !== front + 2 && !isFrame(word))
  return rest.length === others.length && rest.every((word, i) => same(word, others[i]!))
}

/** "does A move B", and who moves what. */
interface Clause { verb: string, subject: Words, object: Words }

/** Of a question with "do"; null for another. For each verb that could be the one. */
function clausesOf (words: Words): Clause[] {
  const at = words.findIndex(word => auxiliaries.has(word))
  if (at < 0) return []
  return words.slice(at + 2).map((verb, more) => (
    { verb, subject: words.slice(at + 1, at + 2 + more), object: words.slice(at + 3 + more) }))
}

/** "does A move B" against "is B moved by A". */
function isPassiveOf (active: Words, passive: Words, { same }: Compared): boolean {
  const by = passive.lastIndexOf('by')
  const be = passive.findIndex(word => passives.has(word))
  if (be < 0 || by < be + 3) return false
  const moved = passive.slice(be + 1, by - 1)
  return clausesOf(active).some(({ verb, subject, object }) => same(verb, passive[by - 1]!) &&
    startsWith(passive.slice(by + 1), subject) && startsWith(object, moved))
}

/** "how does A move B" against "which move does A have on B". */
function isNounOf (verbal: Words, nominal: Words, { same }: Compared): boolean {
  const which = nominal.findIndex(word => word === 'which' || word === 'what')
  const have = nominal.findIndex(word => having.has(word))
  const on = nominal.findLastIndex(word => word === 'on' || word === 'upon')
  if (which < 0 || !auxiliaries.has(nominal[which + 2] ?? '') || have < which + 4 || on < have) return false
  const subjectOf = nominal.slice(which + 3, have)
  return clausesOf(verbal).some(({ verb, subject, object }) =>
    same(verb, nominal[which + 1]!) && subject.length === subjectOf.length &&
    startsWith(subjectOf, subject) && startsWith(object, nominal.slice(on + 1)))
}

function startsWith (words: Words, first: Words): boolean {
  return first.length > 0 && first.length <= words.length && first.every((word, at) => word === words[at])
}
