/** Finds out what a model can do by asking it, which costs some tokens: only when told to. */
import { Problem } from '../../../shared/errors/problem.ts'
import { capabilityQuestions, readCapabilities } from '../domain/capability-questions.ts'
import type { Finding } from '../domain/findings.ts'
import { offersOf } from '../domain/serving.ts'
import type { EngineRequests } from './ask-engine.ts'
import { getUpstream, type ChangeParts } from './change-upstreams.ts'
import type { Member } from './keep-members.ts'

export interface ProbePart extends ChangeParts { requests: EngineRequests }

const timeoutMs = 30_000
const bytesMax = 4 * 1024 * 1024
/** Of one upstream; the oldest is forgotten. */
const findingsMax = 50

/**
 * Probes the server, asks one of its models, and keeps what that showed.
 *
 * @param model  as callers name it; null: the first that is no adapter
 * @throws Problem upstream-not-found, model-not-found, upstream-unavailable
 */
export async function probeCapabilities (
  { directory, upstreams, requests }: ProbePart, name: string, model: string | null
): Promise<Member> {
  const member = await getUpstream(directory, name)
  const { watch } = member
  await watch.probe(true)
  const { upstream, probe } = watch.replica
  if (probe.state !== 'up') {
    throw new Problem('upstream-unavailable', `The model server ${name} is ${probe.state}${probe.detail === null ? '' : `: ${probe.detail}`}; its models cannot be asked.`)
  }
  const served = servedName(member, model)
  const questions = capabilityQuestions(served)
  const ask = async ({ path, body }: { path: string, body: object }) =>
    await requests.ask(upstream, { path, body, timeoutMs, bytesMax })
  const [plain, seeing, constrained, embedding] = await Promise.all([
    ask(questions.plain), ask(questions.seeing), ask(questions.constrained), ask(questions.embedding)
  ])
  const shown = readCapabilities({ plain, seeing, constrained, embedding })
  const finding = { model: served, ...shown, baseUrl: upstream.baseUrl, at: new Date().toISOString() }
  const record = { upstream: null, draining: upstream.draining === true, findings: [finding] }
  const isNew = member.source === 'environment' && await upstreams.insert(name, record)
  if (!isNew) {
    await upstreams.change(name, there => ({ ...there, findings: withOne(there.findings, finding) }))
  }
  await directory.refresh()
  await watch.probe(true)
  return await getUpstream(directory, name)
}

function withOne (findings: readonly Finding[], finding: Finding): Finding[] {
  const others = findings.filter(each => each.model !== finding.model && each.baseUrl === finding.baseUrl)
  return [...others, finding].slice(-findingsMax)
}

function servedName ({ watch: { replica } }: Member, model: string | null): string {
  const offers = offersOf(replica)
  if (model !== null) {
    const found = offers.get(model)
    if (found !== undefined) return found.served
  }
  const listed = replica.probe.models
  const adapters = new Set(listed.filter(({ parent }) => parent !== undefined).map(({ id }) => id))
  const first = [...offers.values()].find(({ served, missing }) => !missing && !adapters.has(served))
  if (model === null && first !== undefined) return first.served
  const known = [...offers.keys()].slice(0, 20).join(', ')
  throw new Problem('model-not-found', `The upstream ${replica.upstream.name} serves ${model === null ? 'no model' : `no "${model.slice(0, 200)}"`}. It serves: ${known || 'none'}.`)
}
