/** Which sentences of an abstract state the problem, which the way taken, which what was found. */

export type Aspect = 'problem' | 'solution' | 'results'

const aspects: readonly Aspect[] = ['problem', 'solution', 'results']

/** The authors speak of their own doing. */
const own = /\b(?:we|our|this (?:paper|study|work|article|research|thesis)|in th(?:is|e) (?:present )?(?:paper|study|work|article)|here|herein)\b/iu
const done = /\b(?:was|were|is presented|is proposed|are presented)\b/u

const aim = /\b(?:aim|aims|aimed|goal|objective|purpose|objectives)\b|^(?:Background|Objectives?|Purpose|Aims?|Introduction|Context|Motivation)\s?:/u

/** Words that speak for an aspect, each with what it weighs. */
const cues: Record<Aspect, ReadonlyArray<readonly [RegExp, number]>> = {
  problem: [
    [/\b(?:problems?|challeng\p{Ll}+|drawbacks?|shortcomings?|obstacles?|bottlenecks?|unknown|unclear|poorly|scarce|gap|little is known|lack|lacks|lacking|remains?|suffers?|limited by|limitations?)\b/iu, 2],
    [/\b(?:however|although|despite|difficult\p{Ll}*|crucial|critical|important|importance|need(?:s|ed)?|necessary|issues?|risks?|concerns?|threat\p{Ll}*|common|widely|increasingly|known)\b/iu, 1],
    [aim, 2]
  ],
  solution: [
    [own, 1],
    [/\b(?:propos|present(?:s|ed)?\b|introduc|develop|describ|design|employ|appl(?:y|ied|ies)\b|us(?:e|ed|ing)\b|collect|select|measur|analy[sz]|synthesi[sz]|prepar|investigat|examin|evaluat|compar(?:e|ed)\b|combin|sampl|perform(?:ed)?\b|conduct|carried out|model(?:l?ed)?\b|simulat|assess|sequenc|experiment|test(?:ed)?\b|treated|review)/iu, 1.5],
    [/^(?:Methods?|Methodology|Materials and methods|Design|Approach)\s?:/iu, 3]
  ],
  results: [
    [/\b(?:results?|findings?|we (?:also |have |do not |did not )?(?:find|estimate|validate|found|show|demonstrate|observe|conclude|detect|identified|confirm)|found|show(?:s|ed)? that|demonstrat\p{Ll}+|reveal\p{Ll}*|indicat\p{Ll}+|suggest\p{Ll}*|outperform\p{Ll}*|achiev\p{Ll}+|exhibit\p{Ll}*|evidence|conclusions?|conclude\p{Ll}*|significant(?:ly)?|observed|validated|(?:is|was|are|were) due to|attributed)\b/iu, 2],
    [/\b(?:higher|lower|better|increas\p{Ll}+|decreas\p{Ll}+|improv\p{Ll}+|reduc\p{Ll}+|excellent|highest|lowest|implies|confirm\p{Ll}*)\b|\d ?%|\bp ?[<=]/iu, 1],
    [/^(?:Results?|Findings?|Conclusions?)\s?:/u, 3]
  ]
}

const label = /^\p{L}[\p{L} ]{3,24}\s?: /u

/** How much a sentence speaks for an aspect, by its words alone; 0 when it does not. */
export function cueScore (text: string, aspect: Aspect): number {
  const doing = own.test(text) || done.test(text)
  if (aspect === 'solution' && !doing && !label.test(text)) return 0
  if (aspect === 'problem' && own.test(text) && !aim.test(text)) return 0
  // What is told of the world rather than of one's own work sets out the problem.
  const told = aspect === 'problem' && !doing ? 0.5 : 0
  return told + cues[aspect].reduce((sum, [pattern, weight]) => sum + (pattern.test(text) ? weight : 0), 0)
}

/**
 * Abstracts go from the problem over the way taken to what was found. Of all ways to cut the
 * sentences into three runs in that order, each possibly empty, the one whose words fit best.
 *
 * @returns the aspect of each sentence
 */
export function aspectsOf (sentences: readonly string[]): Aspect[] {
  const scores = sentences.map(text => aspects.map(aspect => cueScore(text, aspect)))
  const sumOf = (from: number, to: number, at: number) =>
    scores.slice(from, to).reduce((sum, row) => sum + (row[at] ?? 0), 0)
  let best = { sum: -1, a: 0, b: 0 }
  for (let a = 0; a <= sentences.length; a++) {
    for (let b = a; b <= sentences.length; b++) {
      const sum = sumOf(0, a, 0) + sumOf(a, b, 1) + sumOf(b, sentences.length, 2)
      if (sum > best.sum) best = { sum, a, b }
    }
  }
  return sentences.map((_, i) => i < best.a ? 'problem' : i < best.b ? 'solution' : 'results')
}
