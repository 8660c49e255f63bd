/** Which figures and tables a sentence names. */

const mention = /(?:\b(?:Figures?|Figs?|FIGURES?|FIGS?|Tables?|Tabs?)\b\.?|그림|표)\s?((?:S?\d{1,3}|[IVX]{1,5}\b)[^.;)\p{L}]{0,3}[A-Za-z]?(?:(?:\s?[,&–-]\s?|\s?,?\s?and\s|\s?to\s|\()(?:S?\d{1,3})?[^.;)\p{L}]{0,2}[a-zA-Z]?\b){0,6})/gu

export interface Named { figures: Set<string>, tables: Set<string> }

/** Numbers as printed ("2", "S1"); "Figs. 2–4" names 2, 3 and 4. */
export function namedIn (sentence: string): Named {
  const named: Named = { figures: new Set(), tables: new Set() }
  for (const match of sentence.matchAll(mention)) {
    const into = /^(?:T|표)/u.test(match[0]) ? named.tables : named.figures
    for (const number of numbersOf(match[1] ?? '')) into.add(number)
  }
  return named
}

function numbersOf (text: string): string[] {
  const numbers = text.match(/S?\d{1,3}|\b[IVX]{1,5}\b/gu) ?? []
  const ranges = Array.from(text.matchAll(/\b(\d{1,3})\s?[–-]\s?(\d{1,3})\b/gu))
  return [...numbers, ...ranges.flatMap(range => {
    const [from, to] = [Number(range[1]), Number(range[2])]
    return to - from > 20 ? [] : Array.from({ length: Math.max(0, to - from) }, (_, i) => String(from + i))
  })]
}
