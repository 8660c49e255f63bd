/** Formulas that stand in text as raised and lowered letters, HTML or Greek, as LaTeX. */

const raised: Record<string, string> = { '⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁺': '+', '⁻': '-', ⁿ: 'n', ⁱ: 'i' }
const lowered: Record<string, string> = { '₀': '0', '₁': '1', '₂': '2', '₃': '3', '₄': '4', '₅': '5', '₆': '6', '₇': '7', '₈': '8', '₉': '9', '₊': '+', '₋': '-', ₐ: 'a', ₑ: 'e', ₒ: 'o', ₓ: 'x', ₙ: 'n' }
const signs: Record<string, string> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ν: 'nu',
  ξ: 'xi',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  τ: 'tau',
  φ: 'phi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
  Γ: 'Gamma',
  Δ: 'Delta',
  Θ: 'Theta',
  Λ: 'Lambda',
  Π: 'Pi',
  Σ: 'Sigma',
  Φ: 'Phi',
  Ψ: 'Psi',
  Ω: 'Omega',
  '∂': 'partial',
  '∇': 'nabla',
  '∞': 'infty',
  '∫': 'int',
  '∑': 'sum',
  '∏': 'prod',
  '√': 'sqrt',
  '≤': 'le',
  '≥': 'ge',
  '≠': 'ne',
  '≈': 'approx',
  '×': 'times',
  '·': 'cdot',
  '±': 'pm',
  '∝': 'propto',
  '→': 'to'
}
const symbol = String.raw`(?:[A-Za-z0-9.]{1,12}|[α-ωΓΔΘΛΠΣΦΨΩ∂∇∞∫∑∏√()[\]|])`
const script = String.raw`(?:[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]{1,8}|[₀-₉₊₋ₐₑₒₓₙ]{1,8}|<su[bp]>[^<>]{1,20}</su[bp]>)`
const operator = String.raw` ?[=+\-−×·/≤≥≠≈±∝<>→] ?`
/** Symbols joined by operators or by standing together, in one stretch. */
const stretch = new RegExp(String.raw`(?:${symbol}|${script})(?:(?:${operator})?(?:${symbol}|${script})){0,60}`, 'gu')
/**
 * What makes a stretch a formula: a script, a sign that is no plain text, or an equation of single
 * letters.
 */
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
