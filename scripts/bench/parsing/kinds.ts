/** Which list of highlights a part of a structured abstract, or a section, speaks for. */
export type ListKind = 'problem' | 'solution' | 'results'

const patterns: Array<[ListKind, RegExp]> = [
  ['results', /^(?:main |key |principal )?(?:results?|findings|outcomes|conclusions?|interpretations?|concluding)\b|^(?:results?|conclusions?)[ |]|conclusions?$/u],
  ['solution', /^(?:materials?|patients|subjects)?[ |]?(?:and|&|\|)? ?methods?\b|^(?:methods?|methodology|experimental|procedures?|design|study design|approach|setting|participants|interventions?|data sources?|measurements)\b/u],
  ['problem', /^(?:background|introduction|intro|contexts?|aims?|objectives?|purpose|motivation|importance|significance|rationale|hypothesis|problem|question)\b/u]
]

/** Null for parts that speak for none, "Discussion" and "Trial registration" among them. */
export function kindOfTitle (title: string): ListKind | null {
  const plain = title.toLowerCase().replace(/[\s:.]+$/u, '').replace(/\s+/gu, ' ').trim()
  return patterns.find(([, pattern]) => pattern.test(plain))?.[0] ?? null
}
