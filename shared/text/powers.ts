/**
 * Powers of ten whose exponent stands on the line: "1.2 × 104" was 1.2 × 10⁴, "10−7" was 10⁻⁷. The
 * text says a number that its page does not, so nobody's answer may rest on it.
 */
import { startOf } from './start-of.ts'

/** No exponent begins with 0 (× 100, × 1000 are what they say); three digits more are a number. */
const exponent = String.raw`(?:\s?[−–‐-]\s?\d{1,2}|[1-9]\d?)(?![\d%]|[.,]\d)`
/** Sizes of pictures and fields: "768 × 1024", "1280 × 1024 pixels". */
const size = String.raw`(?<!(?<![\d.,])\d{3,5}\s?)`
const times = new RegExp(String.raw`${size}(?:[×·⋅∙∗✕]\s?|(?<=\d)\s?[x*]\s?)10${exponent}`, 'u')
/** A true minus inside a number is no range; a hyphen may be one unless it leads down to a unit. */
const unit = String.raw`(?:[nµμmk]?(?:M|m|s|g|A|V|L|mol|Pa|bar|mbar|Torr)|cm)(?![\p{L}\d])`
const alone = new RegExp(String.raw`(?<![\p{L}\d.,^+−–-])10(?:\s?−\s?(?:[1-9]|[12]\d)(?!\d|[.,]\d)|[–‐-][1-9]\s${unit})`, 'u')

/** Where an exponent has probably lost its place, with some words around it; undefined when nowhere. */
export function lostExponent (text: string): string | undefined {
  const match = times.exec(text) ?? alone.exec(text)
  return match === null ? undefined : startOf(text.slice(Math.max(0, match.index - 12)), 40)
}
