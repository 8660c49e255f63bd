/** Special functions, to about 1e-13 relative. Tails are asked for as tails, never as 1 - p. */

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7
]
const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI)

/**
 * Natural logarithm of the gamma function.
 *
 * @param x   positive
 * @see Lanczos 1964, doi:10.1137/0701008 (g = 7, nine terms); Stirling's series from 12
 */
export function logGamma (x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma takes a positive number, got ${x}`)
  if (x < 0.5) return logGamma(x + 1) - Math.log(x)
  if (x >= 12) return (x - 0.5) * Math.log(x) - x + halfLogTwoPi + stirlingRest(x)
  const shifted = x - 1 + 7.5
  const sum = lanczos.reduce((all, term, i) => all + (i === 0 ? term : term / (x - 1 + i)), 0)
  return halfLogTwoPi + (x - 0.5) * Math.log(shifted) - shifted + Math.log(sum)
}

// Bernoulli numbers, B_2k / (2k (2k - 1)), signs apart.
const stirlingTerms = [1 / 12, 1 / 360, 1 / 1260, 1 / 1680, 1 / 1188, 691 / 360360]

/** What Stirling's formula leaves of log gamma. */
function stirlingRest (x: number): number {
  if (x < 12) return logGamma(x) - ((x - 0.5) * Math.log(x) - x + halfLogTwoPi)
  const s = 1 / (x * x)
  return stirlingTerms.reduceRight((rest, term) => term - s * rest, 0) / x
}

/** a ln(1 + e/a), where 1 + e/a equals `ratio` and either may have lost its digits. */
function logTerm (a: number, e: number, ratio: number): number {
  return a * (Math.abs(e / a) < 0.5 ? Math.log1p(e / a) : Math.log(ratio))
}

/**
 * x^a y^b / B(a, b) with y = 1 - x, by the saddle point, so that large a and b lose no digits.
 *
 * @see Loader 2000, "Fast and accurate computation of binomial probabilities"
 */
export function betaKernel ({ x, y }: Split, a: number, b: number): number {
  if (x <= 0 || y <= 0) return 0
  const n = a + b
  const e = b * x - a * y
  const exponent = logTerm(a, e, n * x / a) + logTerm(b, -e, n * y / b)
  const rest = stirlingRest(n) - stirlingRest(a) - stirlingRest(b)
  return Math.sqrt(a / n * b / (2 * Math.PI)) * Math.exp(exponent + rest)
}

/** A fraction and its complement y = 1 - x, given apart: near 1 the difference has no digits. */
export interface Split { x: number, y: number }

/**
 * Regularised incomplete beta function I_x(a, b); its upper tail is the same of x and y and of
 * a and b swapped.
 *
 * @throws RangeError unless a and b are positive
 * @see continued fraction by Lentz's method; DLMF 8.17.22
 */
export function betaIncomplete ({ x, y }: Split, a: number, b: number): number {
  if (!(a > 0) || !(b > 0)) throw new RangeError(`a and b must be positive, got ${a} and ${b}`)
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN
  if (x <= 0) return 0
  if (y <= 0) return 1
  const kernel = betaKernel({ x, y }, a, b)
  if (x < (a + 1) / (a + b + 2)) return kernel * betaFraction(x, a, b) / a
  return 1 - kernel * betaFraction(y, b, a) / b
}

const tiny = 1e-300
const awayFromZero = (value: number) => Math.abs(value) < tiny ? tiny : value
const stepsMax = 100_000

function betaFraction (x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / awayFromZero(1 - (a + b) * x / (a + 1))
  let product = d
  for (let m = 1; m < stepsMax; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    product *= c * d
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    product *= c * d
    if (Math.abs(c * d - 1) < 1e-16) break
  }
  return product
}

/** Complementary error function for x >= 0. */
export function erfc (x: number): number {
  const square = x * x
  const kernel = x * Math.exp(-square) / Math.sqrt(Math.PI)
  if (x < 1.5) {
    let term = 2
    let sum = term
    for (let k = 1; Math.abs(term) > 1e-17 * sum; k++) sum += term *= 2 * square / (2 * k + 1)
    return 1 - kernel * sum
  }
  // Q(1/2, x²), continued fraction; DLMF 8.9.2.
  let b = square + 0.5
  let c = 1 / tiny
  let d = 1 / b
  let product = d
  for (let i = 1; i < stepsMax; i++) {
    const numerator = -i * (i - 0.5)
    b += 2
    d = 1 / awayFromZero(numerator * d + b)
    c = awayFromZero(b + numerator / c)
    product *= c * d
    if (Math.abs(c * d - 1) < 1e-16) break
  }
  return kernel * product
}
