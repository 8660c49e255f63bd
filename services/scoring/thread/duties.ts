/** What the thread does for scoring: parts of the work that would hold the event loop. */
import { parseStrictBytes } from '../../../shared/app/strict-json.ts'
import { compileValidator, invalidRequest } from '../../../shared/app/validators.ts'
import type { Condition, Prediction } from '../../../shared/contracts/run.ts'
import type { ImportedItem, RunImport } from '../../../shared/contracts/run-import.ts'
import { analyses, type AnalysisName } from '../domain/analyses/analyses.ts'
import { namedBy, type AnalysedRow, type AnalysedRun, type AnalysisBody } from '../domain/analyses/analysis.ts'
import { answered, writeAnalysis, type AnalysisForm } from '../domain/analyses/written.ts'
import { readReply, type Reply } from '../domain/read-reply.ts'
import { carried, type Carrying } from '../domain/rescore.ts'
import type { Question } from '../domain/question.ts'
import { statelessAnswer, statelessBody, type StatelessName } from '../domain/stateless.ts'
import { rankImports, type Ranked } from '../imports/domain/rank.ts'

/**
 * The answer to a long or slow stateless request; what a long body names beside its table; an analysis,
 * of a body and the runs that come as parts; a ranking of the imports that come as parts; what a long
 * reply says, when it comes in and when it is read again.
 */
export type Duty =
  { do: 'measure', name: StatelessName, bytes: Uint8Array } |
  { do: 'name-runs', kind: AnalysisName, bytes: Uint8Array } |
  { do: 'analyse', kind: AnalysisName, form: AnalysisForm, body: Uint8Array | AnalysisBody, heads: readonly RunHead[] | null } |
  { do: 'rank' } |
  { do: 'read', question: Pick<Question, 'kind' | 'choices' | 'order'>, reply: Reply, condition?: Condition } |
  { do: 'carry', before: Prediction, to: Carrying }

export type RunHead = Omit<AnalysedRun, 'rows'>

/** Some rows of the run at a place among the heads. */
export interface RunPart { run: number, rows: readonly AnalysedRow[] }
/** An import and its accepted rows, a JSON object a line. */
export interface ImportPart { record: RunImport, bytes: Uint8Array }

export interface Begun { take: (part: unknown) => void, finish: () => Uint8Array }

/** A duty whose parts are then taken one by one. @throws Problem for a body that is wrong */
export function begin (duty: Duty): Begun {
  switch (duty.do) {
    case 'measure': return alone(() => statelessAnswer(duty.name, checked(duty.bytes, duty.name)))
    case 'name-runs': return alone(() => namedBy(checked(duty.bytes, duty.kind) as AnalysisBody, analyses[duty.kind]))
    case 'analyse': return analysing(duty)
    case 'rank': return ranking()
    case 'read': return alone(() => {
      const { reply: _, ...reading } = readReply(duty.question, duty.reply, duty.condition)
      return reading
    })
    case 'carry': return alone(() => carried(duty.before, duty.to))
  }
}

function alone (work: () => object): Begun {
  return { take () {}, finish: () => bytesOf(JSON.stringify(work())) }
}

function bytesOf (text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function analysing ({ kind, form, body, heads }: Extract<Duty, { do: 'analyse' }>): Begun {
  const rows: AnalysedRow[][] = (heads ?? []).map(() => [])
  return {
    take (part) {
      const { run, rows: some } = part as RunPart
      rows[run]!.push(...some)
    },
    finish () {
      const parsed = body instanceof Uint8Array ? checked(body, kind) as AnalysisBody : body
      const runs = heads?.map((head, at) => ({ ...head, rows: rows[at]! })) ?? null
      return bytesOf(writeAnalysis(answered(kind, parsed, runs), form))
    }
  }
}

function ranking (): Begun {
  const logs: Ranked[] = []
  return {
    take (part) {
      const { record, bytes } = part as ImportPart
      logs.push({ record, items: itemsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) })
    },
    finish: () => bytesOf(JSON.stringify(rankImports(logs)))
  }
}

/** Without the replies, which a ranking does not need. */
function itemsOf (bytes: Buffer): ImportedItem[] {
  const items: ImportedItem[] = []
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from)
    items.push({ ...JSON.parse(bytes.toString('utf8', from, end)) as ImportedItem, reply: null })
    from = end + 1
  }
  return items
}

type Validator = ReturnType<typeof compileValidator>
const validators = new Map<string, Validator>()

/** The body, defaults filled in. @throws Problem invalid-json, invalid-request */
function checked (bytes: Uint8Array, name: StatelessName | AnalysisName): unknown {
  const body = parseStrictBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const validate = validators.get(name) ?? compileValidator({
    schema: name in analyses ? analyses[name as AnalysisName].body : statelessBody(name as StatelessName), httpPart: 'body'
  })
  validators.set(name, validate)
  if (validate(body) !== true) throw invalidRequest(validate.errors ?? [], 'body')
  return body
}
