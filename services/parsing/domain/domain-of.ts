/** The domain of a paper, guessed from its words; a person who uploads it may say it instead. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Domain } from '../../../shared/contracts/domain.ts'
import domainWords from '../keywords/domains.json' with { type: 'json' }

type Named = keyof typeof domainWords

/** A word in the title says more than one in the text. */
const titleWeight = 8
const abstractWeight = 4
/** Half of a word's worth is reached after so many. */
const saturation = 12
/** Of the text's words; a paper's first pages and its last say what it is about. */
const wordsMax = 20_000
/** Less is no evidence, and so is a lead of less than a twentieth. */
const scoreMin = 0.2
const leadMin = 1.05

/**
 * Counts the words of each domain's list (`../keywords/domains.json`, data to be extended) in title,
 * abstract and text. Each word adds count / (count + 12), as BM25 dampens repetition, so that one word
 * said a hundred times does not decide; the sum is divided by the square root of the list's length.
 *
 * @returns `other` where no domain leads by a twentieth
 */
export function guessDomain ({ title, abstract, sections }: Pick<Document, 'title' | 'abstract' | 'sections'>): Domain {
  const counts = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const word of (text.toLowerCase().match(/[\p{L}']+/gu) ?? []).slice(0, wordsMax)) {
      counts.set(word, (counts.get(word) ?? 0) + weight)
    }
  }
  add(title, titleWeight)
  add(abstract?.text ?? '', abstractWeight)
  add(sections.flatMap(section => [section.title, ...section.paragraphs.map(({ text }) => text)]).join(' '), 1)
  const ranked = (Object.keys(domainWords) as Named[])
    .map(domain => ({ domain, score: scoreOf(domainWords[domain], counts) }))
    .sort((a, b) => b.score - a.score)
  const [best, second] = ranked
  return best !== undefined && best.score >= scoreMin && best.score >= leadMin * (second?.score ?? 0)
    ? best.domain
    : 'other'
}

function scoreOf (words: readonly string[], counts: ReadonlyMap<string, number>): number {
  const sum = words.reduce((total, word) => {
    const count = /[\uAC00-\uD7A3]/u.test(word) ? beginningWith(word, counts) : counts.get(word) ?? 0
    return total + count / (count + saturation)
  }, 0)
  return sum / Math.sqrt(words.length)
}

/** Korean words take endings. */
function beginningWith (stem: string, counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [word, count] of counts) if (word.startsWith(stem)) sum += count
  return sum
}
