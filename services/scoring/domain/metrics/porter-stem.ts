/**
 * English stems as the ROUGE reference makes them: Porter's algorithm with NLTK's extensions.
 * Other Porter stemmers differ on some 20 % of irregular and -y/-ies words, hence on the score.
 */

type Condition = (stem: string) => boolean
type Rule = readonly [suffix: string, replacement: string, condition?: Condition]

const irregular = new Map(Object.entries({
  sky: 'sky',
  skies: 'sky',
  dying: 'die',
  lying: 'lie',
  tying: 'tie',
  news: 'news',
  inning: 'inning',
  innings: 'inning',
  outing: 'outing',
  outings: 'outing',
  canning: 'canning',
  cannings: 'canning',
  howe: 'howe',
  proceed: 'proceed',
  exceed: 'exceed',
  succeed: 'succeed'
}))

/** y is a vowel exactly when it follows a consonant; whatever is no letter is a consonant. */
function consonants (word: string): boolean[] {
  const found: boolean[] = []
  for (let i = 0; i < word.length; i++) {
    const letter = word[i]!
    found.push(letter === 'y' ? i === 0 || !found[i - 1]! : !'aeiou'.includes(letter))
  }
  return found
}

/** Porter's m: how often a vowel run is followed by a consonant run. */
function measure (stem: string): number {
  const kinds = consonants(stem)
  let count = 0
  for (let i = 1; i < kinds.length; i++) if (kinds[i]! && !kinds[i - 1]!) count++
  return count
}

const measured: Condition = stem => measure(stem) > 0
const twiceMeasured: Condition = stem => measure(stem) > 1
const hasVowel: Condition = stem => consonants(stem).includes(false)

function endsDouble (word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && consonants(word).at(-1)!
}

/** Consonant-vowel-consonant, the last not w, x, y; in NLTK also a two-letter vowel-consonant. */
function endsShort (word: string): boolean {
  const kinds = consonants(word)
  if (word.length === 2) return !kinds[0]! && kinds[1]!
  return word.length > 2 && kinds.at(-3)! && !kinds.at(-2)! && kinds.at(-1)! &&
    !'wxy'.includes(word.at(-1)!)
}

/** The first suffix that matches decides, even when its condition then fails. */
function applyFirst (word: string, rules: readonly Rule[]): string {
  for (const [suffix, replacement, condition] of rules) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, word.length - suffix.length)
    return condition === undefined || condition(stem) ? stem + replacement : word
  }
  return word
}

const plurals: Rule[] = [['sses', 'ss'], ['ies', 'i'], ['ss', 'ss'], ['s', '']]

function dropPlural (word: string): string {
  if (word.length === 4 && word.endsWith('ies')) return word.slice(0, -1)
  return applyFirst(word, plurals)
}

function dropPast (word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith('eed')) return measured(word.slice(0, -3)) ? word.slice(0, -1) : word
  const suffix = ['ed', 'ing']
    .find(end => word.endsWith(end) && hasVowel(word.slice(0, -end.length)))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (['at', 'bl', 'iz'].some(end => stem.endsWith(end))) return stem + 'e'
  if (endsDouble(stem)) return 'lsz'.includes(stem.at(-1)!) ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? stem + 'e' : stem
}

function softenY (word: string): string {
  const stem = word.slice(0, -1)
  return word.endsWith('y') && stem.length > 1 && consonants(stem).at(-1)! ? stem + 'i' : word
}

const doubleSuffixes: Rule[] = ([
  ['ational', 'ate'], ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance'], ['izer', 'ize'],
  ['bli', 'ble'], ['alli', 'al'], ['entli', 'ent'], ['eli', 'e'], ['ousli', 'ous'],
  ['ization', 'ize'], ['ation', 'ate'], ['ator', 'ate'], ['alism', 'al'], ['iveness', 'ive'],
  ['fulness', 'ful'], ['ousness', 'ous'], ['aliti', 'al'], ['iviti', 'ive'], ['biliti', 'ble'],
  ['fulli', 'ful']
] as const).map(([suffix, replacement]) => [suffix, replacement, measured] as const)
// The measure of -logi is taken with its l.
const doubleRules: Rule[] = [...doubleSuffixes, ['logi', 'log', stem => measured(stem + 'l')]]

function mergeSuffix (word: string): string {
  if (word.endsWith('alli') && measured(word.slice(0, -4))) return mergeSuffix(word.slice(0, -2))
  return applyFirst(word, doubleRules)
}

const thirdRules: Rule[] = ([
  ['icate', 'ic'], ['ative', ''], ['alize', 'al'], ['iciti', 'ic'], ['ical', 'ic'], ['ful', ''],
  ['ness', '']
] as const).map(([suffix, replacement]) => [suffix, replacement, measured] as const)

const afterSOrT: Condition = stem => twiceMeasured(stem) && 'st'.includes(stem.at(-1)!)
const fourthRules: Rule[] = [
  'al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent', 'ion', 'ou',
  'ism', 'ate', 'iti', 'ous', 'ive', 'ize'
].map(suffix => [suffix, '', suffix === 'ion' ? afterSOrT : twiceMeasured] as const)

function dropFinalE (word: string): string {
  const stem = word.slice(0, -1)
  if (!word.endsWith('e')) return word
  return twiceMeasured(stem) || (measure(stem) === 1 && !endsShort(stem)) ? stem : word
}

/**
 * The stem of one lower-case word.
 *
 * @see Porter 1980, doi:10.1108/eb046814; the extensions are those of NLTK 3.8 (NLTK_EXTENSIONS)
 */
export function porterStem (word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (word.length <= 2) return word
  const merged = mergeSuffix(softenY(dropPast(dropPlural(word))))
  const bare = dropFinalE(applyFirst(applyFirst(merged, thirdRules), fourthRules))
  return bare.endsWith('ll') && twiceMeasured(bare.slice(0, -1)) ? bare.slice(0, -1) : bare
}
