/** What steps mean once all they leave open is decided, and what they say of items. */
import type { CurationStep } from '../../../../shared/contracts/curation.ts'
import type { Check, Item, Provenance } from '../../../../shared/contracts/item.ts'

export type StepName = CurationStep['step']
export type ResolvedStep = CurationStep extends infer S ? S extends { step: StepName } ? S & UsualOf<S['step']> : never : never
export type StepOf<Name extends StepName> = Extract<ResolvedStep, { step: Name }>

const usual = {
  deduplicate: { ratioMin: 0.6, autojunk: false, compare: 'question-and-choices', keep: 'first' },
  paraphrase: { protectedTerms: [] as string[], attemptsMax: 3 },
  tag: { dimensions: ['modality', 'figureType', 'skill', 'difficulty'], subdomains: [] as Subdomain[] },
  'find-regional': { models: [] as string[], sampleRejected: 50 },
  'write-rationales': { attemptsMax: 4, stratifyBy: [] as string[], terms: [] as Term[] }
} as const
type Asked<Name> = Extract<CurationStep, { step: Name }>
type UsualOf<Name> = Name extends keyof typeof usual
  ? Required<Pick<Asked<Name>, keyof typeof usual[Name] & keyof Asked<Name>>>
  : unknown

export interface Subdomain { name: string, words: string[] }
export interface Term { wrong: string, right: string }

/** Two recipes that mean the same are the same afterwards. */
export function resolvedSteps (steps: readonly CurationStep[]): ResolvedStep[] {
  return steps.map(step => ({ ...usual[step.step as keyof typeof usual], ...step }) as ResolvedStep)
}

/** Names of the models that a step asks. */
export function modelsOf (step: ResolvedStep): string[] {
  switch (step.step) {
    case 'paraphrase': return [step.model]
    case 'find-regional': return step.models
    case 'write-rationales': return [step.model, ...step.critic === undefined ? [] : [step.critic]]
    default: return []
  }
}

/** Prompts of a step, of those in services/generation/prompts. */
export function promptsOf (step: ResolvedStep): string[] {
  if (modelsOf(step).length === 0) return []
  switch (step.step) {
    case 'paraphrase': return ['paraphrase-stem.v1']
    case 'find-regional': return ['find-regional.v1']
    case 'write-rationales': return ['write-rationale.v1', ...step.critic === undefined ? [] : ['criticise-rationale.v1']]
    default: return []
  }
}

/** An item on its way through steps, with the id it has in the source. */
export interface Entry { rootId: string, item: Item }

/** What a step says of one item; of those it does not speak of, it leaves as they are. */
export interface StepOutcome {
  rootId: string
  action: 'changed' | 'dropped' | 'flagged'
  /** Kebab-case. */
  reason: string
  detail: string
  /** Of `changed`. */
  changes?: Partial<Item>
  check?: Check
  call?: Partial<Provenance>
  /** Ids of items as they stand at this step. */
  relatedIds?: string[]
}

export interface StepFinding { name: string, value: unknown }
export interface StepResult { outcomes: StepOutcome[], findings: StepFinding[] }
