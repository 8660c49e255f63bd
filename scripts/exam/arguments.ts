/** What the exam is asked to do, from the command line. */
import { parseArgs } from 'node:util'
import { conditionHelp, conditionOptions, parseCondition, type AskedHow } from './condition.ts'

export const help = `Turns papers into a benchmark, examines models with it, and writes a report.

  npm run exam                          the bundled sample paper, baselines only
  npm run exam -- my.pdf other.pdf      your papers
  npm run exam -- my.pdf --upstream http://gpu:8000 --model my-model

  --model NAME     a model of the upstream; may be given several times
  --upstream URL   an OpenAI-compatible server such as vLLM; without --model, its first model
  --generator NAME a model of the upstream that writes the items and reviews them; without it items are
                   sentences of the papers, and the benchmark holds what no model has reviewed
  --vision         the models see images; otherwise figure questions are asked without their image
  --out DIR        where results go, default ./viva-exam; running again resumes there
  --seed N         default 1
  --json           print the summary as one JSON line
  --help           this text
${conditionHelp}
Exit code 0 only if every step succeeded for every paper. Nothing leaves this machine but calls to --upstream.
`

/** A report holds 50 runs, four of them baselines. */
const runsMax = 46

export interface ExamArguments {
  files: string[]
  models: string[]
  generator: string | undefined
  upstream: string | undefined
  vision: boolean
  out: string
  seed: number
  json: boolean
  help: boolean
  /** How the models are asked. */
  how: AskedHow
}

/** @throws Error that says which argument is wrong */
export function parseExamArguments (args: string[]): ExamArguments {
  const { values, positionals } = parse(args)
  const seed = Number(values.seed ?? '1')
  if (!Number.isInteger(seed) || seed < 0 || seed > 2147483647) {
    throw new Error(`--seed takes a whole number from 0 to 2147483647, not "${values.seed}".`)
  }
  const { upstream } = values
  if (upstream !== undefined && !/^https?:\/\/./.test(upstream)) {
    throw new Error(`--upstream takes an address such as http://127.0.0.1:8000, not "${upstream}".`)
  }
  if (upstream === undefined && values.model !== undefined) {
    throw new Error('--model needs --upstream URL, the address of the server that offers the model.')
  }
  if (upstream === undefined && values.generator !== undefined) {
    throw new Error('--generator needs --upstream URL, the address of the server that offers the model.')
  }
  const how = parseCondition(values)
  const models = [...new Set(values.model ?? [])]
  if (Math.max(1, models.length) * how.repeats > runsMax) {
    throw new Error(`${models.length} models with --repeats ${how.repeats} are more than ${runsMax} runs, and one report holds no more.`)
  }
  if (positionals.length > 200) throw new Error('At most 200 papers at once.')
  return {
    files: positionals,
    models,
    generator: values.generator,
    upstream,
    vision: values.vision ?? false,
    out: values.out ?? 'viva-exam',
    seed,
    json: values.json ?? false,
    help: values.help ?? false,
    how
  }
}

function parse (args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        model: { type: 'string', multiple: true },
        generator: { type: 'string' },
        upstream: { type: 'string' },
        vision: { type: 'boolean' },
        ...conditionOptions,
        out: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' }
      }
    })
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\nnpm run exam -- --help lists what there is.`, { cause })
  }
}
