/** What asking a model showed that it can do, beside what is declared. */
import type { Probe, Replica } from './replica.ts'
import { offersOf } from './serving.ts'
import { servedModelsMax } from './engine-answers.ts'

/** Kept, for asking costs tokens and time. Null where the answer showed neither. */
export interface Finding {
  model: string
  vision: boolean | null
  reasoning: boolean | null
  structuredOutput: boolean | null
  embeddings: boolean | null
  /** Of the server that was asked: another one may be able to do other things. */
  baseUrl: string
  at: string
}

/** Capability → member of a finding. */
const asked = [
  ['vision', 'vision'], ['reasoning', 'reasoning'], ['structured-output', 'structuredOutput'], ['embeddings', 'embeddings']
] as const

/** The probe with what its models were found to be able to do. */
export function withFindings (probe: Probe, findings: readonly Finding[]): Probe {
  if (findings.length === 0) return probe
  return {
    ...probe,
    models: probe.models.map(model => {
      const finding = findings.find(each => each.model === model.id)
      if (finding === undefined) return model
      const found = asked.filter(([, key]) => finding[key] === true).map(([name]) => name)
      return { ...model, capabilities: [...new Set([...model.capabilities ?? [], ...found])].sort() }
    })
  }
}

/** What is odd about an upstream, in words for whoever set it up; declared things count all the same. */
export function warningsOf (replica: Replica, findings: readonly Finding[]): string[] {
  const { upstream, probe } = replica
  const { models, engine } = probe
  const listed = models.slice(0, 5).map(({ id }) => id.slice(0, 100)).join(', ')
  const missing = [...offersOf(replica)].filter(([, candidate]) => candidate.missing)
  const hidden = Object.keys(upstream.aliases ?? {}).filter(alias => models.some(({ id }) => id === alias))
  const told = upstream.contextTokens === undefined
    ? []
    : models.filter(({ contextTokens }) => contextTokens !== null && contextTokens !== upstream.contextTokens)
  return [
    ...missing.slice(0, 20).map(([name, { served }]) => `${name === served ? `Declares ${name}` : `The alias ${name} names ${served}`}, which the server does not list; it lists ${listed}.`),
    ...hidden.slice(0, 20).map(alias => `The alias ${alias} hides the model of that name.`),
    ...told.slice(0, 20).map(({ id, contextTokens }) => `Declares a context of ${upstream.contextTokens} tokens; the server says ${contextTokens} for ${id.slice(0, 100)}, which counts.`),
    ...findings.flatMap(finding => asked
      .filter(([name, key]) => finding[key] === false && upstream.capabilities.includes(name))
      .map(([name]) => `Declares ${name}, which ${finding.model.slice(0, 100)} did not show when it was asked.`)),
    ...models.length > servedModelsMax ? [`Lists more than ${servedModelsMax} models; the rest is not offered.`] : [],
    ...engine === 'other' ? ['Is neither vLLM nor llama.cpp: dialect and load are not known.'] : []
  ]
}
