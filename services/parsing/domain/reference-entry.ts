/**
 * One entry of a reference list taken apart: authors, year, title, DOI. Lists follow a dozen orders;
 * authors are read name by name from the front, and what cannot be told is left out, never guessed.
 */

export interface ReferenceParts { title?: string, authors?: string[], year?: number, doi?: string }

const authorsMax = 200

/** @param text of the entry without its label */
export function readReference (text: string): ReferenceParts {
  const doi = readDoi(text)
  const { authors, end } = readAuthors(text)
  const year = readYear(text)
  const title = readTitle(text.slice(end), authors.length > 0)
  return {
    ...(title === undefined ? {} : { title }),
    ...(authors.length === 0 ? {} : { authors }),
    ...(year === undefined ? {} : { year }),
    ...(doi === undefined ? {} : { doi })
  }
}

/** DOI as printed, without what only closes the sentence (doi:10.1000/182, DOI Handbook 2.2). */
export function readDoi (text: string): string | undefined {
  const found = /(?<![\d.])10\.\d{4,9}\/[^\s"<>\u201C\u201D]{1,200}/.exec(text)?.[0]
  if (found === undefined) return undefined
  let doi = found.replace(/[.,;:]+$/, '')
  while (/[)\]}.,;]$/.test(doi) && !isBalanced(doi)) doi = doi.slice(0, -1)
  return doi.length > 8 ? doi : undefined
}

function isBalanced (text: string): boolean {
  const count = (mark: string) => text.split(mark).length
  return !/[.,;]$/.test(text) && count('(') === count(')') && count('[') === count(']') && count('{') === count('}')
}

/** The year of publication: in brackets, before a volume or at the end, not a page and not in a title. */
function readYear (text: string): number | undefined {
  const plain = text.replace(/https?:\S+|10\.\d{4,9}\/\S+|arXiv:\S+/gi, match => ' '.repeat(match.length))
  let best: { year: number, score: number } | undefined
  for (const match of plain.matchAll(/(?<![\d\p{L}/#.-])(1[5-9]\d\d|20\d\d)([a-z]?)(?![\d\p{L}/])/gu)) {
    const before = plain.slice(Math.max(0, match.index - 12), match.index)
    const after = plain.slice(match.index + match[0].length, match.index + match[0].length + 12)
    if (/(?:\d\s?[\u2013\u2014-]\s?|\bpp?\.?\s?|\bno\.?\s|[\p{L}\d]:\s?)$/iu.test(before) && !/^\s?[);]/.test(after)) continue
    if (/^\s?[\u2013\u2014-]\s?\d/.test(after)) continue
    // 279(1747): an issue, if there is another year.
    let score = /\d\($/.test(before) && /^\)/.test(after) ? -6 : 0
    if (/^,\s?\d{1,4}\s?[(:]/.test(after)) score += 2
    if (/\($/.test(before)) score += 3
    if (/^\)/.test(after)) score += 1
    if (/^\s?;/.test(after)) score += 3
    if (/^[.,]?\s*$/.test(after)) score += 2
    if (/^[.,:]/.test(after)) score += 1
    if (/[,.]\s*$/.test(before)) score += 1
    if (/(?:accessed|retrieved|cited|visited)\W[^)]*$/i.test(plain.slice(Math.max(0, match.index - 30), match.index))) score -= 3
    if (best === undefined || score > best.score) best = { year: Number(match[1]), score }
  }
  return best?.year
}

const particle = '(?:(?:[Dd][aeiou]s?|[Dd]e la|[Dd]e los|[Dd]el|[Dd]ella|[Vv]an|[Vv]an [Dd]e[rn]?|[Vv]on|[Vv]on der|der|den|[Ll]a|[Ll]e|[Tt]en|[Tt]er|bin|[Aa]l|[Ee]l|[Zz]u|[Zz]ur|af|St|e)[\\s-])'
const word = '(?:[\\p{Lu}][\'\u2019\u2018])?\\p{Lu}[\\p{L}\\p{M}\'\u2019]+'
const surname = `${particle}{0,2}${word}(?:[-\u2010\u2011 ]${particle}{0,2}${word}|-\\p{Ll}+){0,2}`
const dotted = '(?:(?:\\p{Lu}\\p{Ll}?|[de])\\.[ -]?(?:\\p{Lu}\\.|-)?[ ]?){1,4}'
const suffix = '(?:,? (?:Jr|Sr)\\.?|,? I{2,3})?'
const forms = {
  /** Lane, P. N. J. or Lane P.N.J. */
  dottedBehind: new RegExp(`^${surname}(?: \\p{Lu}[\\p{L}'\u2019-]+)?,? ${dotted}${particle}?${suffix}(?=[\\s,;:.&(]|$)`, 'u'),
  /** Lane PN or Lane, PN. */
  bareBehind: new RegExp(`^${surname},? \\p{Lu}{1,4}(?:-\\p{Lu})?${suffix}(?=[\\s,;:.&(]|$)`, 'u'),
  /** P. N. J. Lane. */
  before: new RegExp(`^${dotted}\\s?${surname}${suffix}(?=[\\s,;:.&(]|$)`, 'u'),
  /** Patrick N. J. Lane. */
  whole: new RegExp(`^\\p{Lu}[\\p{L}'\u2019-]+(?: (?:\\p{Lu}\\.){1,3}| \\p{Lu}[\\p{L}'\u2019-]+){0,2} ${particle}{0,2}\\p{Lu}[\\p{L}'\u2019-]+${suffix}(?=[,;:.&(]| and |\\s?$)`, 'u')
}
const alone = new RegExp(`^(${surname}) et\\.? al\\.?`, 'u')
const joint = /^\s*(?:[,;]\s*(?:and|&|y|und)\s+|\s(?:and|&|und)\s+|[,;]\s*(?:\u2026|\.{3})\s*&?\s*|[,;]\s*|&\s*)/u
const more = /^[\s,;]*(?:and\s+)?(?:et\.? al\.?|others)[,.;:]?/i

type Form = keyof typeof forms

function readAuthors (text: string): { authors: string[], end: number } {
  let best: { authors: string[], end: number } = { authors: [], end: 0 }
  for (const form of Object.keys(forms) as Form[]) {
    const found = readList(text, form)
    if (found.authors.length > best.authors.length ||
      (found.authors.length === best.authors.length && found.end > best.end && form !== 'whole')) best = found
  }
  if (best.authors.length > 0) return best
  const found = alone.exec(text.slice(0, 60))
  return found === null ? best : { authors: [found[1]!], end: found[0].length }
}

/** Names of one form as far as they go; full names only where the list ends like one. */
function readList (text: string, form: Form): { authors: string[], end: number } {
  const authors: string[] = []
  let end = 0
  let at = 0
  while (authors.length < authorsMax) {
    if (authors.length > 0 && isJournal(text.slice(at, at + 120))) break
    const name = nextName(text.slice(at, at + 120), form, authors.length)
    if (name === undefined) break
    authors.push(name.replace(/[\s,]+$/, ''))
    end = at + name.length
    const rest = text.slice(end, end + 40)
    const etAl = more.exec(rest)
    if (etAl !== null) {
      end += etAl[0].length
      break
    }
    const step = joint.exec(rest)
    if (step === null) break
    at = end + step[0].length
  }
  if (form !== 'whole' || authors.length === 0) return { authors, end }
  const closed = /^\s?(?:[.:]\s|,?\s?\(?\d{4}|,\s["\u201C])/.test(text.slice(end, end + 10))
  if (closed) return { authors, end }
  return { authors: [], end: 0 }
}

/** Within a list the last may be turned round, and a name may be a single word. */
function nextName (text: string, form: Form, before: number): string | undefined {
  const name = forms[form].exec(text)?.[0]
  if (name !== undefined || before === 0) return name
  if (form === 'dottedBehind') return forms.before.exec(text)?.[0]
  const single = /^\p{Lu}\p{L}{3,}(?=, )/u.exec(text)?.[0]
  return form !== 'whole' && single !== undefined && forms[form].test(text.slice(single.length + 2)) ? single : undefined
}

/** "J. Am. Chem. Soc., 2010, 12": a journal with its volume or year and nothing before it. */
const journalFirst = /^(?:(?:\p{Lu}[\p{L}-]*\.?|of|the|and|&|in|for|on)[\s:]+){0,7}\p{Lu}[\p{L}-]*\.?,?\s*(?:\(?\d{4}\)?|\d+)\s*[,;(:]/u

const shortWord = /\p{Lu}\p{Ll}+\./u

/** "J. Am." could be initials; "Am." is none. */
function isJournal (text: string): boolean {
  return shortWord.test(text) && shortWord.test(journalFirst.exec(text)?.[0] ?? '')
}

/** @param text behind the authors */
function readTitle (text: string, authored: boolean): string | undefined {
  const rest = text.replace(/^[\s.,:;]+/, '')
    .replace(/^(?:\((?:eds?\.?|editors?)\)|\(?(?:1[5-9]|20)\d\d[a-z]?\)?)[\s.,:;)]*/i, '')
  const quoted = /^["\u201C\u2018'\u201F](.{8,400}?)[,.?!]?["\u201D\u2019'](?=[\s,.(]|$)/u.exec(rest)
  if (quoted !== null) return titleOr(quoted[1]!)
  if (!authored || /^(?:In(?::|\s+[\p{Lu}"\u201C])|in:|\d+\s*[,(:;]|\d+$)/u.test(rest)) return undefined
  const elsevier = /^(.{12,400}?), (?:in: |[\p{Lu}][^,()]{2,80} \d+ \(\d{4}\)|arXiv|Ph\.?D)/u.exec(rest)
  if (/^,/.test(text) && elsevier !== null) return titleOr(elsevier[1]!)
  if (journalFirst.test(rest)) return undefined
  const end = sentenceEnd(rest)
  return end === undefined ? undefined : titleOr(rest.slice(0, end))
}

const abbreviated = /(?:^|[\s(])(?:\p{L}|vs|sp|nov|Linn|spp|var|subsp|cf|et al|al|no|vol|ca|approx|St|Dr|Mr|Mrs|eds?|pp|i\.e|e\.g)\.$/iu

function sentenceEnd (text: string): number | undefined {
  for (const match of text.matchAll(/[.?!](?=\s|$)/g)) {
    const head = text.slice(0, match.index + 1)
    const behind = text.slice(match.index + 1).trimStart()
    const ends = journalFirst.test(behind) || /^(?:In\b|Proc)/.test(behind)
    // A question may have a second sentence; "A." may be an initial.
    if (!ends && (match[0] === '?' || abbreviated.test(head.slice(-10)))) continue
    return match[0] === '.' ? match.index : match.index + 1
  }
  return undefined
}

function titleOr (text: string): string | undefined {
  const title = text.trim().replace(/[,.;:]+$/, '')
  const words = title.split(/\s+/)
  const wordy = words.filter(word => /\p{L}{4}/u.test(word)).length
  const isOne = title.length >= 10 && title.length <= 400 && words.length >= 2 && wordy >= 2
  return isOne && !/^(?:https?:|doi|available)/i.test(title) ? title : undefined
}
