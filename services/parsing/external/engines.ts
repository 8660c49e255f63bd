/** The external engines of the settings, each asked by its own protocol. */
import { setTimeout as sleepFor } from 'node:timers/promises'
import { Agent } from 'undici'
import { Problem } from '../../../shared/errors/problem.ts'
import type { EngineAnswer, EngineName, ExternalEngine } from '../domain/external-engine.ts'
import { talkTo, type Talk, type TalkOptions } from './ask-engine.ts'
import { askDocling } from './docling.ts'
import { askGrobid } from './grobid.ts'
import { askMathpix } from './mathpix.ts'

function notConfigured (name: string, names: readonly string[]): Problem {
  const known = names.length === 0 ? 'none is configured' : `configured are ${names.join(', ')}`
  return new Problem('engine-refused', `No external engine "${name}" is configured here (${known}); put it on PARSER_ENGINES, or send the paper without ?engine=.`)
}

export interface ExternalEngines {
  names: string[]
  /** @throws Problem engine-…; engine-refused for one that is not (or no longer) in the settings */
  ask: (name: string, pdf: Uint8Array, signal?: AbortSignal) => Promise<EngineAnswer>
  close: () => Promise<void>
}

const protocols: Record<EngineName, (talk: Talk, pdf: Uint8Array) => Promise<EngineAnswer>> = {
  grobid: askGrobid, docling: askDocling, mathpix: askMathpix
}

const sleepInTime: TalkOptions['sleep'] = async (ms, signal) => { await sleepFor(ms, undefined, { signal }) }

/** @param secret the value of an environment variable; keys are looked up when needed */
export function externalEngines (
  engines: readonly ExternalEngine[], { secret, sleep = sleepInTime }: Pick<TalkOptions, 'secret'> & Partial<TalkOptions>
): ExternalEngines {
  const agent = new Agent({ connections: 16, connect: { timeout: 10_000 } })
  return {
    names: engines.map(({ name }) => name),
    async ask (name, pdf, signal) {
      const engine = engines.find(each => each.name === name)
      if (engine === undefined) throw notConfigured(name, engines.map(each => each.name))
      return await protocols[engine.name](talkTo(engine, { agent, secret, sleep }, signal), pdf)
    },
    close: async () => { await agent.destroy() }
  }
}
