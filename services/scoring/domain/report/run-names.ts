/** What runs are called in a report: the model and, where one stands there twice, the difference. */
import type { RunReport } from '../../../../shared/contracts/report.ts'
import type { Condition } from '../../../../shared/contracts/run.ts'
import { shortNames } from './short-names.ts'

/** Of a run what its name is made of. */
export type NamedRun = Pick<RunReport, 'runId' | 'model' | 'condition'>

interface Part { name: string, say: (condition: Condition) => string }

const parts: readonly Part[] = [
  { name: 'content', say: ({ contentMode }) => `content ${contentMode}` },
  { name: 'content budget', say: ({ contentTokensMax }) => `${contentTokensMax} content tokens` },
  { name: 'prompt', say: ({ prompt }) => `prompt ${prompt}` },
  { name: 'formulation', say: ({ formulation }) => `formulation ${formulation}` },
  { name: 'figures', say: ({ figures }) => `figures ${figures}` },
  { name: 'images', say: ({ images }) => `images ${images ?? 'as they are'}` },
  { name: 'sequence', say: ({ sequence }) => `sequence ${sequence ?? 'in order'}` },
  { name: 'probe', say: ({ probe }) => probe === undefined ? 'no probe' : `probe ${probe}` },
  { name: 'rationale', say: sayRationale },
  { name: 'rationale from', say: ({ rationaleFrom }) => rationaleFrom === undefined ? 'no source' : `from ${rationaleFrom.slice(0, 12)}` },
  { name: 'hint', say: ({ hint }) => hint === undefined ? 'no hint' : `hint ${hint}` },
  { name: 'order of choices', say: ({ permutationSeed }) => permutationSeed === undefined ? 'choices as written' : `permutation seed ${permutationSeed}` },
  { name: 'thinking', say: ({ thinking }) => `thinking ${thinking ? 'on' : 'off'}` },
  { name: 'effort of thinking', say: ({ thinkingEffort }) => `effort ${thinkingEffort ?? 'as the model has it'}` },
  { name: 'confidence', say: ({ confidence }) => confidence === 'verbal' ? 'confidence stated' : 'confidence not asked' },
  { name: 'temperature', say: ({ sampling }) => `temperature ${sampling.temperature}` },
  { name: 'top-p', say: ({ sampling }) => `top-p ${sampling.topP}` },
  { name: 'top-k', say: ({ sampling }) => `top-k ${sampling.topK ?? 'as the server has it'}` },
  { name: 'penalties', say: ({ sampling }) => `presence penalty ${sampling.presencePenalty ?? 'none named'}, frequency penalty ${sampling.frequencyPenalty ?? 'none named'}` },
  { name: 'new tokens', say: ({ sampling }) => `${sampling.maxTokens} new tokens` },
  { name: 'seed', say: ({ seed }) => `seed ${seed}` },
  { name: 'repeat', say: ({ repeat }) => `repeat ${repeat}` }
]

function sayRationale ({ rationale, rationaleShare }: Condition): string {
  if (rationale === undefined) return 'no rationale given'
  return rationaleShare === undefined ? `rationale ${rationale}` : `rationale ${rationale} at ${rationaleShare}`
}

function differing (runs: readonly NamedRun[]): Part[] {
  return parts.filter(({ say }) => new Set(runs.map(({ condition }) => say(condition))).size > 1)
}

/** Names of the parts of the condition in which runs differ, for example "figures", "repeat". */
export function differences (runs: readonly NamedRun[]): string[] {
  return differing(runs).map(({ name }) => name)
}

/** "lab-7b (repeat 1)": of the condition only what differs between the runs of that model. */
export function runNames (runs: readonly NamedRun[]): string[] {
  const names = runs.map(run => {
    const apart = differing(runs.filter(({ model }) => model === run.model))
    return apart.length === 0 ? run.model : `${run.model} (${apart.map(({ say }) => say(run.condition)).join(', ')})`
  })
  return names.map((name, index) => occursTwice(names, name) ? `${name} ${runs[index]!.runId.slice(0, 12)}` : name)
}

const labelCharsMax = 40

/**
 * Names short enough for a plot on a phone: what they share is cut first. Two that look equal nevertheless
 * get their place in the report.
 */
export function plotLabels (runs: readonly NamedRun[]): string[] {
  const labels = shortNames(runNames(runs), labelCharsMax)
  return labels.map((label, index) => occursTwice(labels, label) ? `${index + 1}. ${label}` : label)
}

function occursTwice (texts: readonly string[], text: string): boolean {
  return texts.indexOf(text) !== texts.lastIndexOf(text)
}

/** The beginning and the end, with an ellipsis between where it is longer. */
export function cutMiddle (text: string, charsMax: number): string {
  const characters = Array.from(text)
  if (characters.length <= charsMax) return text
  const end = Math.floor(charsMax / 2)
  return `${characters.slice(0, charsMax - 1 - end).join('')}…${characters.slice(-end).join('')}`
}
