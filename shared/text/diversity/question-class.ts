/** What kind of thing a question asks for, told from its words by rules: not by who wrote it. */

/**
 * The classes, each with the words that tell it, English and Korean; the first that fits holds. Those
 * without words are those of the fixed questions, which say themselves what they ask.
 */
const classes: ReadonlyArray<readonly [name: string, words?: RegExp]> = [
  ['problem'],
  ['solution'],
  ['results'],
  ['summary', /^(?:summari[sz]e|give a summary|provide a summary)\b|\bin summary\b|요약/u],
  ['limitation', /\b(?:limitations?|drawbacks?|shortcomings?|weakness(?:es)?|caveats?|future work|threats? to validity)\b|한계|단점/u],
  ['definition', /\b(?:defined|definition|defines?|stands? for|meaning of|refers? to|denotes?|is meant by|abbreviat\w*|acronym)\b|정의|뜻하/u],
  ['cause', /\b(?:why|because|due to|causes?|caused|reasons?|explains?|explained|attribut\w+|leads? to|led to|owing to|results? from|resulted from|accounts? for|responsible for)\b|이유|원인|때문/u],
  ['comparison', /\b(?:compared?|comparison|comparing|versus|vs|differ(?:s|ed|ence|ences)?|differently|than|similar to|relative to|outperform\w*|whereas|contrast|ranks?|ranked|(?:high|low|larg|small|great|fast|slow|strong|weak|long|short|few)est|best|worst|most|least)\b|비교|차이|보다|가장/u],
  ['trend', /\b(?:trends?|changes?|changed|increas\w+|decreas\w+|declin\w+|grows?|grew|rises?|rose|rising|falls?|fell|falling|drop(?:s|ped)?|varies|vary|varied|evolves?|evolution|over time|as a function of|depends?|dependence)\b|변화|증가|감소|추세/u],
  ['quantity', /\b(?:how (?:many|much|long|large|high|far|often|fast|old)|what (?:number|percentage|proportion|fraction|value|rate|amount|share|size|range)|which (?:number|percentage|proportion|value|amount)|number of|percentage of|proportion of|mean|median|average|total)\b|몇|얼마|비율|평균|\d\s?%/u],
  ['method', /\b(?:how (?:is|are|was|were|do|does|did|can)|methods?|methodology|approach(?:es)?|techniques?|procedures?|protocols?|algorithms?|measured|calculated|computed|estimated|trained|prepared|collected|obtained|synthesi[sz]ed|evaluated|performed|by means of|using|used|uses|steps?|designed)\b|방법|기법|절차|사용|측정/u],
  ['purpose', /\b(?:purpose|aims?|goals?|objectives?|intended|in order to|role|functions?|used for|motivat\w+)\b|목적|목표|역할/u],
  ['condition', /\b(?:under (?:what|which)|conditions?|when|where|temperature|concentration|setting|parameters?|at what)\b|조건|언제|어디/u],
  ['structure', /\b(?:components?|parts?|consists?|consist of|composed|structures?|panels?|axis|axes|represents?|indicat\w+|labell?ed|legend|elements?|layers?|contains?|includes?)\b|구성|구조|나타내/u],
  ['identity', /^(?:which|who|what|name|identify)\b|\b(?:which|who|what)\b|무엇|어느|어떤|누구/u]
]
const other = 'other'

export const questionClasses: readonly string[] = [...classes.map(([name]) => name), other]

/** What stands before a claim in a yes/no question, or before a question that names its paper. */
const opening = /^(?:(?:regarding|according to|based on|as shown in|in|from) [^,]{1,80}, )?(?:(?:does|do|is it true that|did) (?:the )?(?:paper|authors?|figure \w{1,4}|fig\. \w{1,4}|table \w{1,4}|study|text|caption|panel \w{1,4} of figure \w{1,4})? ?(?:state|report|show|say|claim|find|indicate|describe)?(?: that)? ?)?/u

/** One of `questionClasses`, by the question alone. */
export function questionClassOf (question: string): string {
  const lower = question.normalize('NFKC').toLowerCase().trim()
  const asked = lower.slice(opening.exec(lower)?.[0].length ?? 0)
  return classes.find(([, words]) => words?.test(asked))?.[0] ?? other
}
