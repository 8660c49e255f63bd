/** Numbers as JSON has them, and as models write them; never another number than was written. */
import { Unreadable, type Note } from './notes.ts'

const number = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const strict = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const lenient = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
/** Decimal digits that every double can give back. */
const digitsSure = 15
const literalCharsMax = 400

/** @throws Unreadable where there is no number, or none a double can hold */
export function numberAt (text: string, at: number, notes: Note[]): { value: number, end: number } {
  number.lastIndex = at
  const literal = number.exec(text)?.[0] ?? ''
  const end = at + literal.length
  // 007, 0x1f, 1_000, 5nm
  if (literal === '' || literal.length > literalCharsMax || !lenient.test(literal) || /[\p{L}\p{N}_%.]/u.test(text[end] ?? '')) {
    throw new Unreadable('number-unclear', at)
  }
  if (!strict.test(literal)) notes.push({ step: 'number-form', at })
  const value = Number(literal)
  const digits = significant(literal)
  if (!Number.isFinite(value) || (value === 0 && digits !== '')) throw new Unreadable('number-range', at)
  if (/^[+-]?\d+$/.test(literal)) {
    // An identifier of twenty digits must not come out as another one.
    if (BigInt(literal.replace('+', '')) !== BigInt(value)) throw new Unreadable('number-range', at)
  } else if (digits.length > digitsSure && digits !== significant(String(value))) {
    notes.push({ step: 'number-rounded', at })
  }
  return { value, end }
}

/** The digits that count, without point, exponent and zeros at either end. */
function significant (literal: string): string {
  return literal.replace(/[eE].*$/, '').replace(/[^0-9]/g, '').replace(/^0+/, '').replace(/0+$/, '')
}
