/** Statistics of numbers as large or small as a double can be: computed near 1, and told in their units. */
import { excessExponent, timesPowerOfTwo } from '../../../../shared/stats/scale.ts'

/** What a statistic's answer does when all numbers of its body are multiplied by one factor. */
export interface Sized<Field extends string = string> {
  /** Fields of the body that are in one unit; all else in it has none. */
  fields: readonly Field[]
  /** Keys of the answer, at any depth, that go with the unit, or with its square; all else stays. */
  inUnits?: Readonly<Record<string, 1 | 2>>
  /** Rows of a field are each in a unit of their own. */
  eachRow?: boolean
}

type Fields = Record<string, unknown>

/**
 * @param run  computes the answer of a body whose numbers are of a usual size
 * @returns    of the body as it was given
 */
export function computedNearOne (body: object, sized: Sized, run: (body: object) => object): object {
  const given = body as Fields
  if (sized.eachRow === true) return rowsNearOne(given, sized, run)
  const exponent = excessExponent(sized.fields.flatMap(field => [...numbersOf(given[field])]))
  if (exponent === 0) return run(body)
  const near = Object.fromEntries(sized.fields.flatMap(field =>
    given[field] === undefined ? [] : [[field, times(given[field], -exponent)]]))
  return inUnitsAgain(run({ ...given, ...near }), { units: sized.inUnits ?? {}, exponent })
}

/** Lists of the answer that are in units have a number for each row. */
function rowsNearOne (
  given: Fields, { fields, inUnits = {} }: Sized, run: (body: object) => object
): object {
  const field = fields[0]!
  const rows = given[field] as unknown[]
  const exponents = rows.map(row => excessExponent(numbersOf(row)))
  if (exponents.every(exponent => exponent === 0)) return run(given)
  const near = rows.map((row, i) => times(row, -exponents[i]!))
  const answer: Fields = { ...run({ ...given, [field]: near }) }
  for (const [key, degree] of Object.entries(inUnits)) {
    answer[key] = (answer[key] as unknown[]).map((value, i) => times(value, degree * exponents[i]!))
  }
  return answer
}

function * numbersOf (value: unknown): Generator<number> {
  if (typeof value === 'number') yield value
  else if (Array.isArray(value)) for (const inner of value) yield * numbersOf(inner)
}

function times (value: unknown, exponent: number): unknown {
  if (typeof value === 'number') return timesPowerOfTwo(value, exponent)
  return Array.isArray(value) ? value.map(inner => times(inner, exponent)) : value
}

interface Units { units: Readonly<Record<string, 1 | 2>>, exponent: number }

function inUnitsAgain (answer: object, { units, exponent }: Units): object {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    return typeof value === 'object' && value !== null ? inUnitsAgain(value, { units, exponent }) : value
  }
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => {
    const degree = Object.hasOwn(units, key) ? units[key]! : 0
    return [key, inner(degree === 0 ? value : times(value, degree * exponent))]
  }))
}
