/**
 * Text that a reader of the page cannot see, though it is in the file: it could steer a model that
 * reads the paper, so it is no content, and reviewers are shown what it says. What a scanner's OCR
 * laid over or under a picture of the page is text.
 */
import { hasOcrLayer } from './ocr-layer.ts'
import { contrastMin, isSeen, luminance, showsInk, type Run, type View } from './glyph-sight.ts'
import { areaOf } from './line.ts'
import { charFlags, type Box, type PageGlyphs, type PageObject } from './page-glyphs.ts'

/** Why readers do not see it. */
export type Hiding = 'invisible' | 'off the page' | 'tiny' | 'in the colour of its ground' | 'covered' |
  'in a layer switched off' | 'replacement text' | 'Unicode tags' | 'bidirectional controls' | 'zero-width characters'

export interface HiddenText { hiding: Hiding, text: string, page: number }

export interface Screened {
  page: PageGlyphs
  found: HiddenText[]
}

/** Points; smaller letters are dust. */
const sizeMin = 1.5
/** Letters; less is an artefact of the typesetter. */
const lettersMin = 8
/** Zero-width characters inside words; typesetters put them behind slashes and dots. */
const zeroWidthsMin = 3
const excerptMax = 300
/** Opaque objects of a page that may cover text; figures have thousands of small ones. */
const coversMax = 400
/** Of 255: colours that white paper swallows. */
const paleMin = 200

/**
 * @param look at least the given box of the page; called only when something is suspicious
 * @returns    the page with `hidden` set, and what is hidden on it, bounded
 */
export function screenPage (page: PageGlyphs, look?: (box: Box) => View): Screened {
  const { chars } = page
  const hidden = new Uint8Array(chars.count)
  const ocr = hasOcrLayer(page)
  const causes = new Map<Hiding, number[]>()
  const hide = (hiding: Hiding, i: number) => {
    hidden[i] = 1
    const known = causes.get(hiding)
    if (known === undefined) causes.set(hiding, [i])
    else known.push(i)
  }
  hideByCode(page, hide)
  if (!ocr) {
    hideByPlace(page, hidden, hide)
    hideUnseen(page, hidden, { hide, look })
    spareSeen(page, causes, look)
  }
  const found = [...causes].flatMap(([hiding, at]) => toFound(page, hiding, at))
  return { page: { ...page, hidden }, found }
}

type Hide = (hiding: Hiding, i: number) => void
type Look = ((box: Box) => View) | undefined

/** Nothing is looked at for a page number under a patch; if nobody can look, all is seen. */
function hideUnseen (page: PageGlyphs, hidden: Uint8Array, { hide, look }: { hide: Hide, look: Look }): void {
  const runs = [...suspects(page, hidden)]
  if (look === undefined || lettersOf(page, runs) < lettersMin) return
  const view = look(extentOf(page, runs))
  for (const run of runs) {
    if (isSeen(view, page, run)) continue
    for (let i = run.from; i < run.to; i++) if (hidden[i] === 0) hide(run.hiding, i)
  }
}

function lettersOf ({ chars: { code } }: PageGlyphs, runs: readonly Run[]): number {
  let letters = 0
  for (const { from, to } of runs) for (let i = from; i < to; i++) if (isLetter(code[i]!)) letters++
  return letters
}

/** What of the page the glyphs of some stretches lie in. */
function extentOf ({ chars: { box }, width, height }: PageGlyphs, runs: readonly Run[]): Box {
  const extent: Box = [width, height, 0, 0]
  for (const { from, to } of runs) {
    for (let at = from * 4; at < to * 4; at += 4) {
      extent[0] = Math.min(extent[0], box[at]!)
      extent[1] = Math.min(extent[1], box[at + 1]!)
      extent[2] = Math.max(extent[2], box[at + 2]!)
      extent[3] = Math.max(extent[3], box[at + 3]!)
    }
  }
  const [x0, y0, x1, y1] = extent
  return [Math.max(0, x0 - 2), Math.max(0, y0 - 2), Math.min(width, x1 + 2), Math.min(height, y1 + 2)]
}

function isZeroWidth (code: number): boolean {
  return (code >= 0x200B && code <= 0x200D) || code === 0x2060 || code === 0xFEFF || code === 0x180E
}

/** LRM and RLM are ordinary marks of right-to-left text; embeddings and overrides reorder it. */
function isBidiControl (code: number): boolean {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)
}

function isTag (code: number): boolean {
  return code >= 0xE0000 && code <= 0xE007F
}

function hideByCode ({ chars: { code, count } }: PageGlyphs, hide: Hide): void {
  for (let i = 0; i < count; i++) {
    const own = code[i]!
    if (own < 0x180E) continue
    if (isZeroWidth(own)) hide('zero-width characters', i)
    else if (isBidiControl(own)) hide('bidirectional controls', i)
    else if (isTag(own)) hide('Unicode tags', i)
    else if (own === 0xDB40 && i + 1 < count && code[i + 1]! >= 0xDC00 && code[i + 1]! <= 0xDC7F) {
      hide('Unicode tags', i)
      hide('Unicode tags', i + 1)
    }
  }
}

function hideByPlace (page: PageGlyphs, hidden: Uint8Array, hide: Hide): void {
  const { chars: { count, flags, origin, size, code }, width, height } = page
  for (let i = 0; i < count; i++) {
    if ((flags[i]! & charFlags.generated) !== 0 || code[i]! <= 32) continue
    const x = origin[i * 2]!
    const y = origin[i * 2 + 1]!
    const isOff = !(x > -2 && y > -2 && x < width + 2 && y < height + 2)
    if ((flags[i]! & charFlags.invisible) !== 0) hide('invisible', i)
    // A line too long for the page hides nothing, but what hangs over is not seen.
    else if (isOff && overhangs(page, i)) hidden[i] = 1
    else if (isOff) hide('off the page', i)
    else if (size[i]! < sizeMin) hide('tiny', i)
  }
  for (const run of replaced(page)) for (let i = run.from; i < run.to; i++) hide('replacement text', i)
}

/** Whether it goes on a line that begins on the page. */
function overhangs ({ chars: { origin, size }, width, height }: PageGlyphs, i: number): boolean {
  const x = origin[i * 2]!
  const y = origin[i * 2 + 1]!
  if (y < 0 || y > height) return false
  for (let at = i - 1; at >= Math.max(0, i - 200) && origin[at * 2 + 1] === y; at--) {
    if (origin[at * 2]! > x || origin[at * 2 + 2]! - origin[at * 2]! > 2 * size[i]!) return false
    if (origin[at * 2]! >= 0 && origin[at * 2]! < width) return true
  }
  return false
}

/** ActualText gives all its letters one place: more than could stand there are no reading of it. */
function * replaced ({ chars: { count, code, origin, box, size } }: PageGlyphs): Generator<Run> {
  for (let from = 0; from < count;) {
    let to = from + 1
    const x = origin[from * 2]!
    const y = origin[from * 2 + 1]!
    while (to < count && origin[to * 2] === x && origin[to * 2 + 1] === y) to++
    const wide = box[to * 4 - 2]! - box[from * 4]!
    const room = 0.2 * (to - from) * size[from]!
    if (to - from >= lettersMin && code[from]! > 32 && wide < room) yield { from, to }
    from = to
  }
}

interface Suspect extends Run { hiding: Hiding }

/** Stretches of one text object: pale, on a ground of their colour, or under something. */
function * suspects (page: PageGlyphs, hidden: Uint8Array): Generator<Suspect> {
  const { chars: { count, layer, color, flags, code } } = page
  const covers = page.objects.filter(object => object.opaque === true)
    .sort((a, b) => areaOf(b.box) - areaOf(a.box)).slice(0, coversMax)
  for (let from = 0; from < count;) {
    let to = from + 1
    while (to < count && layer[to] === layer[from] && color[to] === color[from]) to++
    const run = { from, to }
    from = to
    if (hidden[run.from] === 1 || (to - run.from === 1 && code[run.from]! <= 32)) continue
    const own = color[run.from]!
    const under = covers.length === 0 ? [] : covers.filter(cover => isOver(cover, page, run))
    if (under.some(cover => cover.layer! > layer[run.from]!)) yield { ...run, hiding: 'covered' }
    else if ((flags[run.from]! & charFlags.optional) !== 0) yield { ...run, hiding: 'in a layer switched off' }
    else if (luminance(own) >= paleMin || under.some(({ fill = -1 }) => fill >= 0 && isAlike(fill, own))) {
      yield { ...run, hiding: 'in the colour of its ground' }
    }
  }
}

/** Whether an object lies across the first, the middle or the last glyph of a run. */
function isOver ({ box }: PageObject, { chars }: PageGlyphs, { from, to }: Run): boolean {
  return [from, (from + to) >> 1, to - 1].some(i => {
    const x = (chars.box[i * 4]! + chars.box[i * 4 + 2]!) / 2
    const y = (chars.box[i * 4 + 1]! + chars.box[i * 4 + 3]!) / 2
    return x > box[0] && x < box[2] && y > box[1] && y < box[3]
  })
}

function isAlike (a: number, b: number): boolean {
  return Math.abs(luminance(a) - luminance(b)) < 2 * contrastMin
}

/** Invisible words over the same words in a picture are the picture's: left out, but nothing to report. */
function spareSeen (page: PageGlyphs, causes: Map<Hiding, number[]>, look: Look): void {
  const invisible = causes.get('invisible')
  if (invisible === undefined || invisible.length < lettersMin || look === undefined) return
  const view = look([0, 0, page.width, page.height])
  const pictured = page.objects.filter(({ kind }) => kind !== 'shading')
  const inked = invisible.filter(i => showsInk(view, page, i) &&
    pictured.some(object => isOver(object, page, { from: i, to: i + 1 })))
  if (inked.length > 0.6 * invisible.length) causes.delete('invisible')
}

/** Ways of hiding characters inside words that readers do see. */
export const wordsOnly: ReadonlySet<Hiding> = new Set<Hiding>(['Unicode tags', 'bidirectional controls', 'zero-width characters'])

function toFound (page: PageGlyphs, hiding: Hiding, at: readonly number[]): HiddenText[] {
  const { chars } = page
  if (hiding === 'zero-width characters' && at.filter(i => isInWord(page, i)).length < zeroWidthsMin) return []
  if (!wordsOnly.has(hiding) && at.filter(i => isLetter(chars.code[i]!)).length < lettersMin) return []
  const text = excerpt(page, hiding === 'Unicode tags' ? at : wordsOnly.has(hiding) ? around(page, at) : at)
  // The printer's slug: file, date and colour.
  if (text.length < 120 && /\.(?:indd|qx[dp]|eps|fm)\b.*\d[:/.]\d/i.test(text)) return []
  return [{ hiding, text, page: page.number }]
}

function isLetter (code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 0xBF
}

/** Between two lower-case letters, or one of a long run that spells something by itself. */
function isInWord ({ chars: { code, count } }: PageGlyphs, i: number): boolean {
  let from = i
  let to = i
  while (from > 0 && isZeroWidth(code[from - 1]!)) from--
  while (to + 1 < count && isZeroWidth(code[to + 1]!)) to++
  const isLower = (at: number) => at >= 0 && at < count && code[at]! >= 97 && code[at]! <= 122
  return to - from >= 7 || (isLower(from - 1) && isLower(to + 1))
}

/** The words that hold the given glyphs. */
function around ({ chars: { count } }: PageGlyphs, at: readonly number[]): number[] {
  const near = at.slice(0, 20).flatMap(i => Array.from({ length: 25 }, (_, step) => i - 12 + step))
  return [...new Set(near)].filter(i => i >= 0 && i < count).sort((a, b) => a - b)
}

/** What it says, with tags as the letters they mean, at most 300 characters. */
function excerpt ({ chars: { code, origin } }: PageGlyphs, at: readonly number[]): string {
  let text = ''
  let last: number | undefined
  for (const i of at) {
    if (text.length >= excerptMax) break
    const own = code[i]!
    const letter = isTag(own) ? own - 0xE0000 : own >= 0xDC00 && own <= 0xDC7F ? own - 0xDC00 : own
    const apart = last !== undefined && (i > last + 1 || origin[i * 2 + 1] !== origin[last * 2 + 1])
    if (apart && !text.endsWith(' ')) text += ' '
    const isSurrogate = letter >= 0xD800 && letter <= 0xDFFF
    const isSign = letter >= 32 && letter !== 127 && letter <= 0x10FFFF && !isSurrogate
    if (isSign && !isZeroWidth(letter) && !isBidiControl(letter)) text += String.fromCodePoint(letter)
    last = i
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, excerptMax)
}
