/**
 * The words by which problem, solution and result sentences are known: data, in the sizes that
 * AutoPaperBench names (about 15, 20 and 15). The weight says how plainly a word speaks: "we
 * propose" announces a solution, "use" may stand anywhere. Forms are whole words in lower case; a
 * plus joins two words that must follow each other, where the word alone means too much ("the
 * present study", "as a result").
 */
export type HighlightKind = 'problem' | 'solution' | 'results'

export interface Keyword { keyword: string, weight: 1 | 2 | 3, forms: readonly string[] }

/** @param forms separated by spaces; the keyword is known by the first word of the list */
function keyword (weight: Keyword['weight'], forms: string): Keyword {
  const [name = '', ...rest] = forms.split(' ')
  // Two-word forms only: the name is not one of them.
  const all = rest.some(form => form.includes('+')) ? rest : [name, ...rest]
  return { keyword: name, weight, forms: all.map(form => form.replace('+', ' ')) }
}

export const highlightKeywords: Record<HighlightKind, readonly Keyword[]> = {
  problem: [
    keyword(3, 'challenge challenges challenging'),
    keyword(3, 'limitation limitations'),
    keyword(3, 'problem problems problematic'),
    keyword(2, 'issue issues'),
    keyword(3, 'drawback drawbacks shortcoming shortcomings'),
    keyword(2, 'difficult difficulty difficulties'),
    keyword(2, 'lack lacks lacking'),
    keyword(2, 'gap gaps'),
    keyword(2, 'bottleneck bottlenecks'),
    keyword(2, 'unknown unclear unexplored understudied'),
    keyword(1, 'need needs needed'),
    keyword(1, 'limited limits'),
    keyword(1, 'however'),
    keyword(1, 'fail fails failure failures'),
    keyword(1, 'costly expensive')
  ],
  solution: [
    keyword(3, 'propose proposes proposed proposing'),
    keyword(3, 'introduce introduces introduced'),
    keyword(3, 'present we+present paper+presents study+presents work+presents article+presents here+present'),
    keyword(2, 'develop develops developed'),
    keyword(2, 'design designs designed'),
    keyword(2, 'investigate investigates investigated'),
    keyword(2, 'describe describes described'),
    keyword(1, 'approach approaches'),
    keyword(1, 'method methods methodology'),
    keyword(1, 'framework frameworks'),
    keyword(1, 'algorithm algorithms'),
    keyword(1, 'model models modelled modeled'),
    keyword(1, 'use uses used using'),
    keyword(1, 'apply applies applied'),
    keyword(1, 'implement implements implemented'),
    keyword(1, 'measure measures measured'),
    keyword(1, 'compare compares compared'),
    keyword(1, 'analyze analyzes analyzed analyse analyses analysed'),
    keyword(1, 'combine combines combined'),
    keyword(1, 'construct constructs constructed')
  ],
  results: [
    keyword(3, 'result results our+result main+result this+result key+result'),
    keyword(3, 'show shows showed shown'),
    keyword(3, 'demonstrate demonstrates demonstrated'),
    keyword(3, 'achieve achieves achieved'),
    keyword(2, 'improve improves improved improvement improvements'),
    keyword(2, 'find finds found finding findings'),
    keyword(2, 'outperform outperforms outperformed'),
    keyword(2, 'reveal reveals revealed'),
    keyword(2, 'indicate indicates indicated'),
    keyword(1, 'observe observes observed'),
    keyword(1, 'increase increases increased'),
    keyword(1, 'decrease decreases decreased reduce reduces reduced'),
    keyword(1, 'significant significantly'),
    keyword(1, 'confirm confirms confirmed'),
    keyword(2, 'conclude concludes concluded')
  ]
}

/** What a structured abstract calls its parts, and the list each part belongs to. */
export const abstractLabels: ReadonlyMap<string, HighlightKind> = new Map([
  ...['background', 'context', 'introduction', 'motivation', 'aim', 'aims', 'objective', 'objectives', 'purpose', 'problem'].map(label => [label, 'problem'] as const),
  ...['method', 'methods', 'methodology', 'materials and methods', 'design', 'approach', 'study design'].map(label => [label, 'solution'] as const),
  ...['result', 'results', 'findings', 'main results', 'conclusion', 'conclusions', 'interpretation'].map(label => [label, 'results'] as const)
])
