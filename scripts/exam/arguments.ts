/** What the exam is asked to do, from the command line. */
import { parseArgs } from 'node:util'
import type { ImportOptions } from '../../shared/contracts/bank.ts'
import { conditionHelp, conditionOptions, parseCondition, type AskedHow } from './condition.ts'

export const help = `Turns papers or an item bank into a benchmark, examines models with it, and writes a report.

  npm run exam                          the bundled sample paper, baselines only
  npm run exam -- my.pdf other.pdf      your papers
  npm run exam -- my.pdf --upstream http://gpu:8000 --model my-model
  npm run exam -- --bank my-bank.json   questions that are there already, in place of papers

  --model NAME     a model of the upstream; may be given several times
  --upstream URL   an OpenAI-compatible server such as vLLM; without --model, its first model
  --generator NAME a model of the upstream that writes the items and reviews them; without it items are
                   sentences of the papers, and the benchmark holds what no model has reviewed
  --bank FILE      an item bank, in any form that POST /v1/imports reads; images in the folder of a JSON or
                   JSONL file go along where the file names them by their path from there
  --bank-options JSON  how it is read, for example '{"answerBase": 1, "licence": "CC-BY-4.0"}'
  --shuffle-choices    its choices in an order of the seed before they are frozen
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

export interface BankArguments {
  file: string
  options: ImportOptions
  shuffleChoices: boolean
}

export interface ExamArguments {
  files: string[]
  models: string[]
  generator: string | undefined
  bank: BankArguments | undefined
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
  const bank = parseBank(values, positionals)
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
    bank,
    upstream,
    vision: values.vision ?? false,
    out: values.out ?? 'viva-exam',
    seed,
    json: values.json ?? false,
    help: values.help ?? false,
    how
  }
}

type BankValues = Pick<ReturnType<typeof parse>['values'], 'bank' | 'bank-options' | 'shuffle-choices' | 'generator'>

function parseBank (values: BankValues, files: readonly string[]): BankArguments | undefined {
  const { bank: file, generator } = values
  if (file === undefined) {
    const needless = (['bank-options', 'shuffle-choices'] as const).find(name => values[name] !== undefined)
    if (needless !== undefined) throw new Error(`--${needless} needs --bank FILE.`)
    return undefined
  }
  if (files.length > 0) throw new Error('An exam is about papers or about --bank FILE, not both; run it twice.')
  if (generator !== undefined) throw new Error('--generator writes items from papers; those of --bank FILE are there already.')
  return { file, options: parseOptions(values['bank-options'] ?? '{}'), shuffleChoices: values['shuffle-choices'] ?? false }
}

function parseOptions (text: string): ImportOptions {
  try {
    return JSON.parse(text) as ImportOptions
  } catch (cause) {
    throw new Error(`--bank-options takes ImportOptions as JSON, such as {"answerBase": 1}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
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
        bank: { type: 'string' },
        'bank-options': { type: 'string' },
        'shuffle-choices': { type: 'boolean' },
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
