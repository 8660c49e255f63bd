/** Formulas that stand in text as raised and lowered letters, HTML or Greek, as LaTeX. */

const raised = tableOf('⁰0 ¹1 ²2 ³3 ⁴4 ⁵5 ⁶6 ⁷7 ⁸8 ⁹9 ⁺+ ⁻- ⁿn ⁱi')
const lowered = tableOf('₀0 ₁1 ₂2 ₃3 ₄4 ₅5 ₆6 ₇7 ₈8 ₉9 ₊+ ₋- ₐa ₑe ₒo ₓx ₙn')
const signs = tableOf(`αalpha βbeta γgamma δdelta εepsilon ζzeta ηeta θtheta κkappa λlambda μmu νnu ξxi πpi ρrho σsigma τtau φphi χchi
ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΠPi ΣSigma ΦPhi ΨPsi ΩOmega ∂partial ∇nabla ∞infty ∫int ∑sum ∏prod √sqrt ≤le ≥ge ≠ne
≈approx ×times ·cdot ±pm ∝propto →to`)

function tableOf (words: string): Record<string, string> {
  return Object.fromEntries(words.split(/\s+/u).map(word => [word.charAt(0), word.slice(1)]))
}

const symbol = String.raw`(?:[A-Za-z0-9.]{1,12}|[α-ωΓΔΘΛΠΣΦΨΩ∂∇∞∫∑∏√()[\]|])`
const script = String.raw`(?:[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]{1,8}|[₀-₉₊₋ₐₑₒₓₙ]{1,8}|<su[bp]>[^<>]{1,20}</su[bp]>)`
const operator = String.raw` ?(?:[=+\-−×·/≤≥≠≈±∝>→]|<(?!/?su[bp]>)) ?`
/** Symbols joined by operators or by standing together, in one stretch. */
const stretch = new RegExp(String.raw`(?:${symbol}|${script})(?:(?:${operator})?(?:${symbol}|${script})){0,60}`, 'gu')
/** What makes a stretch a formula: a script, a sign of no plain text, or an equation of single letters. */
const tells = new RegExp(String.raw`${script}|[α-ωΓΔΘΛΠΣΦΨΩ∂∇∞∫∑∏√]|^[A-Za-z] ?= ?`, 'u')
const already = /\$[^$]{1,500}\$|\\\([^]{1,500}?\\\)|\\\[[^]{1,500}?\\\]|\\begin\{[a-z*]{1,20}\}/u

/**
 * The text with its formulas between dollar signs; null where there is none, or where it has LaTeX already.
 * What is transcribed says the same: no sign is left out, and nothing is computed.
 */
export function transcribed (text: string): string | null {
  if (already.test(text)) return null
  let found = false
  const result = text.replaceAll(stretch, formula => {
    if (!tells.test(formula)) return formula
    found = true
    const [, before = '', core = '', after = ''] = /^(\(*(?=.*))(.*?)([.,]?)$/u.exec(formula) ?? []
    return balanced(formula) ? `$${latexOf(formula.replace(/\.$/u, ''))}$${formula.endsWith('.') ? '.' : ''}` : `${before}$${latexOf(core)}$${after}`
  })
  return found ? result : null
}

function balanced (formula: string): boolean {
  return formula.split('(').length === formula.split(')').length
}

function latexOf (formula: string): string {
  return formula
    .replaceAll(/<(su[bp])>([^<>]{1,20})<\/su[bp]>/gu, (_, kind: string, inner: string) => `${kind === 'sup' ? '^' : '_'}{${inner.trim()}}`)
    .replaceAll(/[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]+/gu, run => `^{${[...run].map(sign => raised[sign] ?? sign).join('')}}`)
    .replaceAll(/[₀-₉₊₋ₐₑₒₓₙ]+/gu, run => `_{${[...run].map(sign => lowered[sign] ?? sign).join('')}}`)
    .replaceAll('−', '-')
    .replaceAll(/[α-ωΓ-Ω∂∇∞∫∑∏√≤≥≠≈×·±∝→](?=([A-Za-z])?)/gu, (sign, next?: string) =>
      signs[sign] === undefined ? sign : `\\${signs[sign]}${next === undefined ? '' : ' '}`)
}
