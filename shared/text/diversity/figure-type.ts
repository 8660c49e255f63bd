/** What a figure shows, told from its caption by rules. */

/** The first that fits holds: what is drawn before what it may be a drawing of. */
const types: ReadonlyArray<readonly [name: string, words: RegExp]> = [
  ['bar-chart', /\b(?:bar (?:chart|plot|graph|diagram)s?|bars (?:show|represent|indicate|are)|histograms?)\b|막대/u],
  ['box-plot', /\b(?:box[- ]?(?:and[- ]whisker)?[- ]?plots?|whiskers?|violin plots?)\b/u],
  ['heat-map', /\b(?:heat[- ]?maps?|confusion matri(?:x|ces)|contour (?:map|plot)s?|colou?r[- ]?maps?)\b/u],
  ['tree', /\b(?:phylogen\w+|dendrograms?|cladograms?|decision trees?|maximum[- ]likelihood tree|trees? (?:of|based))\b/u],
  ['map', /\b(?:maps? (?:of|showing)|locations? of (?:the )?(?:study|sampling|sites?|stations?)|study area|sampling sites?|geographic\w*)\b|지도/u],
  ['spectrum', /\b(?:spectr(?:um|a)|xrd|ftir|nmr|chromatograms?|diffraction patterns?|diffractograms?|voltammograms?)\b|스펙트럼/u],
  ['diagram', /\b(?:schematics?|diagrams?|flow ?charts?|workflows?|overview|architectures?|frameworks?|pipelines?|illustrat\w+|set-?ups?|schemes?|layouts?|cartoons?|block|sketch(?:es)?|structure of the|procedure|concept\w*|process of)\b|구조도|흐름도|개념도|구성도|모식도|절차/u],
  ['image', /\b(?:photos?|photographs?|micrographs?|images?|imaging|sem|tem|microscop\w+|mri|histolog\w+|stain\w*|snapshots?|screenshots?|views? of|blots?|gels?|ct scans?|x-rays?)\b|사진|영상|화면/u],
  ['scatter-plot', /\b(?:scatter ?(?:plots?|diagrams?)?|correlations? (?:between|of)|regression|relationships? between)\b|산점도/u],
  ['curve', /\b(?:curves?|versus|vs|as (?:a )?functions? of|time[- ]?(?:course|series)|over time|plots?|plotted|graphs?|profiles?|dependence|evolution|variations?|distributions?|lines?|kinetics?|rates?|changes?|comparisons?|results?|performance|accuracy)\b|그래프|곡선|변화|분포|비교|결과/u]
]
const other = 'other'

export const figureTypes: readonly string[] = [...types.map(([name]) => name), other]

/** One of `figureTypes`. */
export function figureTypeOf (caption: string): string {
  const lower = caption.normalize('NFKC').toLowerCase()
  return types.find(([, words]) => words.test(lower))?.[0] ?? other
}
