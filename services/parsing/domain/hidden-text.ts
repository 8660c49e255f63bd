/**
 * Text that a reader of the page cannot see, though it is in the file: it could steer a model that
 * reads the paper, so it is no content, and reviewers are shown what it says. What a scanner's OCR
 * laid over or under a picture of the page is text.
 */
import { hasOcrLayer } from './ocr-layer.ts'
import { charFlags, type Box, type PageGlyphs, type PageObject, type Pixels } from './page-glyphs.ts'

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
/** Of 255: what every eye sees, and colours that white paper swallows. */
const contrastMin = 20
const paleMin = 200

/**
 * @param look pixels of the whole page, 1 or more a point; called only when something is suspicious
 * @returns    the page with `hidden` set, and what is hidden on it, bounded
 */
export function screenPage (page: PageGlyphs, look?: () => Pixels): Screened {
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
    const sight = once(look)
    for (const run of suspects(page, hidden)) {
      if (isSeen(page, run, sight)) continue
      for (let i = run.from; i < run.to; i++) if (hidden[i] === 0) hide(run.hiding, i)
    }
    spareSeen(page, causes, sight)
  }
  const found = [...causes].flatMap(([hiding, at]) => toFound(page, hiding, at))
  return { page: { ...page, hidden }, found }
}

function once (look: (() => Pixels) | undefined): () => Pixels | undefined {
  let pixels: Pixels | undefined
  return () => (pixels ??= look?.())
}

type Hide = (hiding: Hiding, i: number) => void

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

interface Run { from: number, to: number }

/** ActualText gives all its letters one place: more than could stand there are no reading of it. */
function * replaced ({ chars: { count, code, origin, box, size } }: PageGlyphs): Generator<Run> {
  for (let from = 0; from < count;) {
    let to = from + 1
    const isHere = (i: number) => origin[i * 2] === origin[from * 2] &&
      origin[i * 2 + 1] === origin[from * 2 + 1]
    while (to < count && isHere(to)) to++
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

function areaOf (box: Box): number {
  return (box[2] - box[0]) * (box[3] - box[1])
}

/** Whether an object lies across the first, the middle or the last glyph of a run. */
function isOver ({ box }: PageObject, { chars }: PageGlyphs, { from, to }: Run): boolean {
  return [from, (from + to) >> 1, to - 1].some(i => {
    const x = (chars.box[i * 4]! + chars.box[i * 4 + 2]!) / 2
    const y = (chars.box[i * 4 + 1]! + chars.box[i * 4 + 3]!) / 2
    return x > box[0] && x < box[2] && y > box[1] && y < box[3]
  })
}

function luminance (color: number): number {
  return 0.3 * (color >> 16 & 255) + 0.59 * (color >> 8 & 255) + 0.11 * (color & 255)
}

function isAlike (a: number, b: number): boolean {
  return Math.abs(luminance(a) - luminance(b)) < 2 * contrastMin
}

/** Whether the page as rendered shows its colour where most of its glyphs stand; if unsure, yes. */
function isSeen (page: PageGlyphs, { from, to }: Run, sight: () => Pixels | undefined): boolean {
  const pixels = sight()
  if (pixels === undefined) return true
  const { chars } = page
  let seen = 0
  let all = 0
  for (let i = from; i < to; i++) {
    if (chars.code[i]! <= 32 || (chars.flags[i]! & charFlags.generated) !== 0) continue
    all++
    if (showsGlyph(pixels, page, i)) seen++
  }
  return all === 0 || seen >= 0.4 * all
}

/** Whether something in a glyph's box comes nearer its colour than the ground is. */
function showsGlyph (pixels: Pixels, { chars, width }: PageGlyphs, i: number): boolean {
  const { far, near } = distances(pixels, chars.box.subarray(i * 4, i * 4 + 4), {
    scale: pixels.width / width, own: luminance(chars.color[i]!), air: 0
  })
  return far >= contrastMin && far - near >= 0.45 * far
}

/** Whether anything is painted in or close around a glyph's box. */
function showsInk (pixels: Pixels, { chars, width }: PageGlyphs, i: number): boolean {
  const { far, near } = distances(pixels, chars.box.subarray(i * 4, i * 4 + 4), {
    scale: pixels.width / width, own: 0, air: 1.5
  })
  return far - near >= 2 * contrastMin
}

interface Sight { scale: number, own: number, air: number }

/** Greatest and least difference in luminance between `own` and the pixels of a box and its `air`. */
function distances (pixels: Pixels, box: Float32Array, { scale, own, air }: Sight) {
  let far = 0
  let near = 255
  const x1 = Math.min(pixels.width, Math.ceil((box[2]! + air) * scale))
  const y1 = Math.min(pixels.height, Math.ceil((box[3]! + air) * scale))
  for (let y = Math.max(0, Math.floor((box[1]! - air) * scale)); y < y1; y++) {
    for (let x = Math.max(0, Math.floor((box[0]! - air) * scale)); x < x1; x++) {
      const at = (y * pixels.width + x) * 3
      const shade = 0.3 * pixels.data[at]! + 0.59 * pixels.data[at + 1]! + 0.11 * pixels.data[at + 2]!
      const distance = Math.abs(shade - own)
      if (distance > far) far = distance
      if (distance < near) near = distance
    }
  }
  return { far, near }
}

/** Invisible words over the same words in a picture are the picture's: left out, but nothing to report. */
function spareSeen (page: PageGlyphs, causes: Map<Hiding, number[]>, sight: () => Pixels | undefined): void {
  const invisible = causes.get('invisible')
  if (invisible === undefined || invisible.length < lettersMin) return
  const pixels = sight()
  if (pixels === undefined) return
  const pictured = page.objects.filter(({ kind }) => kind !== 'shading')
  const inked = invisible.filter(i => showsInk(pixels, page, i) &&
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
