/** How a reply came to be: enough to ask again, and what its server said about it. */
import { withoutReasoning } from '../../../shared/answers/reasoning.ts'
import type { Condition, PredictionProvenance } from '../../../shared/contracts/run.ts'
import { samplingSent, seedOf } from './messages.ts'

/** A reply as it came, with what inference says of it. */
interface Answered extends Pick<PredictionProvenance, 'upstreamVersion' | 'completionId' | 'finishReason' | 'refusal' | 'usage'> {
  content: string
  /** As the server names itself. */
  model: string | null
  reasoning: string | null
}

interface Asked { prompt: string, model: string, condition: Condition }

export function provenanceOf (answered: Answered, { prompt, model, condition }: Asked): PredictionProvenance {
  const { upstreamVersion, completionId, finishReason, refusal, usage } = answered
  return {
    prompt,
    model,
    servedModel: answered.model,
    upstreamVersion,
    completionId,
    sampling: samplingSent(condition),
    seed: seedOf(condition),
    sampleIndex: condition.repeat,
    finishReason,
    refusal,
    usage,
    thought: showsThought(answered)
  }
}

/** A scratchpad that the prompt asked for looks the same as thought in tags, and is meant as such. */
function showsThought ({ content, reasoning, usage }: Answered): boolean {
  if (reasoning !== null || (usage.reasoningTokens ?? 0) > 0) return true
  const stretches = withoutReasoning(content)
  return stretches === null || stretches.length > 1 || stretches[0]![0] > 0
}
