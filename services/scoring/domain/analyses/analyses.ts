/** The kinds of analyses that are served, by the names they have in a path. */
import type { Analysis } from './analysis.ts'
import { contentModes } from './content-modes.ts'
import { contamination } from './contamination.ts'
import { cost } from './cost.ts'
import { dif } from './dif.ts'
import { faithfulness } from './faithfulness.ts'
import { factorial } from './factorial.ts'
import { gaps } from './gaps.ts'
import { humanCeiling } from './human-ceiling.ts'
import { imageUse } from './image-use.ts'
import { passing } from './passing.ts'
import { rankAgreement } from './rank-agreement.ts'
import { reasoning } from './reasoning.ts'
import { robustness } from './robustness.ts'
import { subDomains } from './sub-domains.ts'

const kinds = {
  gaps,
  'sub-domains': subDomains,
  dif,
  'content-modes': contentModes,
  'rank-agreement': rankAgreement,
  reasoning,
  cost,
  passing,
  robustness,
  factorial,
  'image-use': imageUse,
  contamination,
  faithfulness,
  'human-ceiling': humanCeiling
} satisfies Record<string, Analysis>

export type AnalysisName = keyof typeof kinds

export const analyses: Record<AnalysisName, Analysis> = kinds

export const analysisNames = Object.keys(kinds) as AnalysisName[]
