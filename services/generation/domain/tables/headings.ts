/** Words of a table's headings: what they name, without the marks that point at notes. */

/** A column or row: its headings from the outermost in, and the one name it goes by. */
export interface Heading { index: number, path: string[], name: string }

const unitShape = /^(?:%|‰|°C|°F|K|°|Å|[nµμmckdhMGT]?(?:g|m|L|l|s|M|A|V|W|J|N|Pa|Hz|eV|mol|bp|Da|Bq|Gy|Sv|Jy|cal|min|h|d|F|T|B|px|u)(?:[²³23]|\^[23])?|kcal|hrs?|min|sec|days?|weeks?|months?|years?|yrs?|ppm|ppb|dB|mas|deg|a\.?u\.?|U|IU|CFU|wt\.?\s?%|vol\.?\s?%|mol\s?%|일|개월|년|시간|분|초|점|명|원|개)$/u

/** The unit a heading says in brackets or after a comma: "(mg/mL)", "[%]"; undefined without one. */
export function unitOf (heading: string): string | undefined {
  for (const match of heading.slice(0, 300).matchAll(/[([]\s?([^()[\]]{1,30})[)\]]/gu)) {
    const inside = (match[1] ?? '').trim()
    // A unit, or units over and times one another.
    const [first = ''] = inside.split(/[\s/·⋅.×*]/u)
    if (unitShape.test(inside) || unitShape.test(first.replace(/[-−⁻]?[¹²³\d]$/u, ''))) return inside
  }
  return undefined
}

/** Without the stars, daggers and raised letters that point at notes, and a letter set after a bracket. */
export function withoutMarks (heading: string): string {
  return heading.trim()
    // "mL− 1" and "mL−1 )": raised signs and brackets stand apart in print.
    .replaceAll(/(?<=\p{L}[−-]) (?=\d)/gu, '')
    .replaceAll(/ (?=[)\]])/gu, '')
    .replace(/\s?[*†‡§¶]{1,3}$/u, '')
    .replace(/\s?[ᵃ-ᵛᵝ-ᶿʰ-ʸˢⁿⁱ]{1,3}$/u, '')
    .replace(/(?<=[)\]])\s?[a-d]$/u, '')
    .trim()
}

/** Totals, means and what is left over stand among the rows and are not of their kind. */
export function isAggregate (name: string): boolean {
  return /\b(?:(?:sub)?totals?|others?|rest|sum|all|overall|mean|average|avg|median|pooled|combined|range|min(?:imum)?|max(?:imum)?|s\.?d\.?|std|n)\b|합계|전체|총|평균|소계|계$|표준\s?편차/iu.test(name)
}

/** Whether a heading over the rows says that each row is a quantity of its own. */
export function namesVariables (name: string): boolean {
  return /\b(?:parameters?|variables?|characteristics?|measures?|propert(?:y|ies)|features?|factors?|statistics?|metrics?|quantit(?:y|ies)|attributes?|items?|predictors?|terms?|criteri(?:on|a)|ind(?:ex|ices|icators?))\b|변수|항목|특성|지표|구분/iu.test(name)
}

/** Names of quantities: rows so named are not compared with each other. */
export function namesQuantity (name: string): boolean {
  return /\b(?:age|sex|gender|weight|height|length|width|depth|diameter|bmi|index|temperature|pressure|density|ratio|rate|time|duration|number|score|p[- ]?values?|velocity|modulus|energy|concentration|ci|f1|accuracy|precision|recall|loss|auc)\b|나이|연령|성별|체중|신장|온도|압력/iu.test(name)
}

/**
 * What may be done with the numbers under a heading: `ratio` has a true zero, `interval` only differences,
 * `order` neither (p values, coefficients, ranks), `name` says which, not how much (years, numbers, codes).
 */
export type Scale = 'ratio' | 'interval' | 'order' | 'name'

export function scaleOf (heading: string, unit: string | undefined): Scale {
  if (/\b(?:no\.?|number|#|ids?|years?|dates?|code|accession|ref(?:erence)?s?\.?|page|cas|rank|grade|class|level|stage|version|seed)(?![\p{L}\p{N}])|번호|연도|순위|등급/iu.test(heading) && unit === undefined) return 'name'
  if (/\b(?:p|q|t|z|f|r|r2)\b[-\s]?(?:values?|stat\w*)?$|\bp[-\s]?values?|significance|\bR²|coefficients?|estimates?|β|\bbeta\b|hazard|odds|\bOR\b|\bHR\b|\bRR\b|\bCI\b|error|deviation|\bSD\b|\bSE\b|statistic|\bKI\b|\bRI|index|retention|유의/iu.test(heading)) return 'order'
  if (/°C|°F|\bdeg\b|°|\bdB\b|\blog|\bpH\b|temperature|latitude|longitude|온도|\bln\b/iu.test(`${heading} ${unit ?? ''}`)) return 'interval'
  return 'ratio'
}

/** A number that orders headings: of "25 °C", "Day 90", "0.75", "n=3"; undefined without exactly one. */
export function orderingNumber (name: string): string | undefined {
  const numbers = name.slice(0, 100).match(/(?<![\p{L}\d.,])\d{1,9}(?:\.\d{1,6})?(?![\d.,])/gu) ?? []
  return numbers.length === 1 && !/[<>≤≥±–-]\s?\d/u.test(name) ? numbers[0] : undefined
}
