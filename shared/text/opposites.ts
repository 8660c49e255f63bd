/** Words that turn a claim round, each with its opposite: data that the rules read. */

/** [up, down]: the first is the one that says more, higher, better, earlier. */
const directionPairs: ReadonlyArray<readonly [string, string]> = [
  ['increase', 'decrease'], ['increases', 'decreases'], ['increased', 'decreased'], ['increasing', 'decreasing'],
  ['increasingly', 'decreasingly'], ['rise', 'fall'], ['rises', 'falls'], ['rose', 'fell'], ['rising', 'falling'],
  ['grows', 'shrinks'], ['grow', 'shrink'], ['improve', 'worsen'], ['strengthen', 'weaken'], ['grew', 'shrank'], ['improves', 'worsens'], ['improved', 'worsened'],
  ['upregulated', 'downregulated'], ['up-regulated', 'down-regulated'], ['upregulation', 'downregulation'],
  ['up-regulation', 'down-regulation'], ['gain', 'loss'], ['gains', 'losses'], ['positive', 'negative'],
  ['positively', 'negatively'], ['upward', 'downward'], ['upwards', 'downwards'], ['ascending', 'descending'],
  ['accelerates', 'decelerates'], ['accelerated', 'decelerated'], ['enhanced', 'reduced'], ['enhances', 'reduces'],
  ['enhance', 'reduce'], ['upstream', 'downstream'], ['strengthens', 'weakens'], ['strengthened', 'weakened']
]

const comparativePairs: ReadonlyArray<readonly [string, string]> = [
  ['higher', 'lower'], ['greater', 'smaller'], ['larger', 'smaller'], ['bigger', 'smaller'], ['longer', 'shorter'],
  ['faster', 'slower'], ['better', 'worse'], ['stronger', 'weaker'], ['above', 'below'], ['earlier', 'later'],
  ['wider', 'narrower'], ['broader', 'narrower'], ['deeper', 'shallower'], ['thicker', 'thinner'], ['hotter', 'colder'],
  ['warmer', 'cooler'], ['older', 'younger'], ['more', 'less'], ['brighter', 'fainter'], ['highest', 'lowest'],
  ['greatest', 'smallest'], ['largest', 'smallest'], ['longest', 'shortest'], ['fastest', 'slowest'], ['best', 'worst'],
  ['strongest', 'weakest'], ['most', 'least'], ['maximum', 'minimum'], ['maximal', 'minimal'], ['upper', 'lower'],
  ['outperforms', 'underperforms'], ['outperform', 'underperform'], ['outperformed', 'underperformed'],
  ['high', 'low'], ['heavier', 'lighter'], ['darker', 'lighter'], ['taller', 'shorter'], ['sharper', 'broader'], ['denser', 'sparser'], ['easier', 'harder'],
  ['closer', 'farther'], ['richer', 'poorer'], ['smoother', 'rougher'], ['steeper', 'flatter']
]

/** [more usual, less usual]: told apart by frequency, so their use must be balanced. */
const contrastPairs: ReadonlyArray<readonly [string, string]> = [
  ['high', 'low'], ['large', 'small'], ['long', 'short'], ['strong', 'weak'], ['wide', 'narrow'], ['thick', 'thin'],
  ['rapidly', 'slowly'], ['quickly', 'slowly'], ['rapid', 'slow'], ['fast', 'slow'], ['stable', 'unstable'],
  ['with', 'without'], ['majority', 'minority'], ['presence', 'absence'], ['linearly', 'exponentially'], ['similar', 'different'],
  ['simple', 'complex'], ['linear', 'nonlinear'], ['significant', 'negligible'], ['bright', 'faint'], ['dark', 'light']
]

/** Neither member is the usual one. */
const evenPairs: ReadonlyArray<readonly [string, string]> = [
  ['north', 'south'], ['east', 'west'], ['northern', 'southern'], ['eastern', 'western'], ['North', 'South'], ['East', 'West'],
  ['anode', 'cathode'], ['male', 'female'], ['males', 'females'], ['summer', 'winter'], ['inner', 'outer'], ['early', 'late'],
  ['initial', 'final'], ['before', 'after'], ['inside', 'outside'], ['front', 'back'], ['encoder', 'decoder'],
  ['donor', 'acceptor'], ['hydrophilic', 'hydrophobic'], ['oxidation', 'reduction'], ['horizontal', 'vertical'],
  ['supervised', 'unsupervised'], ['internal', 'external'], ['upstream', 'downstream'], ['morning', 'evening'],
  ['day', 'night'], ['hot', 'cold'], ['parallel', 'perpendicular'], ['above', 'below'], ['begins', 'ends'], ['starts', 'ends']
]

export interface Opposite { word: string, sign: 1 | -1 }

function tableOf (pairs: ReadonlyArray<readonly [string, string]>): ReadonlyMap<string, Opposite> {
  const table = new Map<string, Opposite>()
  for (const [up, down] of pairs) {
    if (!table.has(up)) table.set(up, { word: down, sign: 1 })
    if (!table.has(down)) table.set(down, { word: up, sign: -1 })
  }
  return table
}

/** Lower-case word → its opposite; `sign` is that of the word itself. */
export const directions = tableOf(directionPairs)
export const comparatives = tableOf(comparativePairs)
export const contrasts = tableOf(contrastPairs)
export const evenContrasts = tableOf(evenPairs)

/** Korean stems, found inside words, since endings stick to them. */
export const koreanDirections: ReadonlyArray<readonly [string, string]> = [['증가', '감소'], ['상승', '하락'], ['높', '낮'], ['향상', '저하']]

export const negations: ReadonlySet<string> = new Set(['not', 'no', 'never', 'none', 'nor', 'neither', 'without', 'cannot',
  'fail', 'fails', 'failed', 'absence', 'absent', 'lack', 'lacks', 'lacked', 'lacking', 'hardly', 'barely', 'unable'])

/** What "in" and "a" deny once joined to it: "in organic solvents" is not "inorganic solvents". */
export const deniedByJoining: ReadonlyMap<string, readonly string[]> = new Map([
  ['in', ['accura', 'active', 'adequate', 'appropriate', 'complete', 'consistent', 'correct', 'definite', 'dependent', 'direct',
    'effective', 'efficient', 'elastic', 'finite', 'formal', 'homogene', 'organic', 'sensitive', 'significant', 'soluble',
    'stability', 'sufficient', 'variable', 'visible', 'voluntary']],
  ['a', ['biotic', 'cellular', 'cyclic', 'moral', 'periodic', 'septic', 'sexual', 'symmetr', 'symptomatic', 'synchronous', 'typical']]
])
export const koreanNegations: readonly string[] = ['않', '없', '아니', '못하']
