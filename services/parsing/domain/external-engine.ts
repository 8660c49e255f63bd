/** Parsers of others that may be asked beside ours, as data: who they are and how they are reached. */
export const engineNames = ['grobid', 'docling', 'mathpix'] as const
export type EngineName = (typeof engineNames)[number]

export interface ExternalEngine {
  name: EngineName
  /** Without a slash at the end. */
  baseUrl: string
  /** Name of the environment variable that holds its key. */
  apiKeyEnv: string
  /** Of Mathpix: the variable with the app's id. */
  appIdEnv: string
  /** For all of one paper: waiting for a free place, the work, the answer. */
  timeoutMs: number
}

/** What an engine said of a paper: untrusted bytes, read where the paper itself is read. */
export interface EngineAnswer {
  name: EngineName
  /** Of the engine, as far as it tells; empty otherwise. */
  version: string
  /** Empty when it found nothing to say. */
  bytes: Uint8Array
}

const defaults: Record<EngineName, Pick<ExternalEngine, 'apiKeyEnv' | 'appIdEnv' | 'timeoutMs'>> = {
  grobid: { apiKeyEnv: '', appIdEnv: '', timeoutMs: 300_000 },
  docling: { apiKeyEnv: 'DOCLING_API_KEY', appIdEnv: '', timeoutMs: 900_000 },
  mathpix: { apiKeyEnv: 'MATHPIX_APP_KEY', appIdEnv: 'MATHPIX_APP_ID', timeoutMs: 900_000 }
}
const timeoutMsMax = 3_600_000

/**
 * @param setting  `name=url,…` or a JSON array of {name, baseUrl, apiKeyEnv?, appIdEnv?, timeoutMs?}
 * @throws         Error that says which entry is wrong
 */
export function parseEngines (setting: string): ExternalEngine[] {
  const text = setting.trim()
  if (text === '') return []
  const engines = (text.startsWith('[') ? fromJson(text) : text.split(',').map(fromPair)).map(checked)
  const names = engines.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`PARSER_ENGINES: ${twice} stands twice`)
  return engines
}

type Given = Partial<Record<keyof ExternalEngine, unknown>>

function fromPair (entry: string): Given {
  const at = entry.indexOf('=')
  // Not the whole entry: a URL may hold a password.
  if (at < 1) throw new Error(`PARSER_ENGINES: "${entry.trim().slice(0, 12)}…" is not name=url`)
  return { name: entry.slice(0, at).trim(), baseUrl: entry.slice(at + 1).trim() }
}

function fromJson (text: string): Given[] {
  let value: unknown
  try { value = JSON.parse(text) } catch (cause) {
    throw new Error('PARSER_ENGINES: starts like JSON but is not', { cause })
  }
  return (value as unknown[]).map(entry => {
    if (entry === null || typeof entry !== 'object') throw new Error('PARSER_ENGINES: every entry of the list is an object {name, baseUrl, …}')
    return entry
  })
}

function checked (given: Given): ExternalEngine {
  const name = engineNames.find(each => each === given.name)
  if (name === undefined) throw new Error(`PARSER_ENGINES: "${String(given.name).slice(0, 80)}" is none of ${engineNames.join(', ')}`)
  const baseUrl = String(given.baseUrl)
  if (!URL.canParse(baseUrl) || !/^https?:$/u.test(new URL(baseUrl).protocol)) {
    throw new Error(`PARSER_ENGINES: ${name} needs an http or https URL such as http://127.0.0.1:8070`)
  }
  const url = new URL(baseUrl)
  if (url.username !== '' || url.password !== '') {
    throw new Error(`PARSER_ENGINES: the URL of ${name} holds a user or password; name the variable with the key in apiKeyEnv instead`)
  }
  const { apiKeyEnv, appIdEnv, timeoutMs } = { ...defaults[name], ...given }
  const time = Number(timeoutMs)
  const isTime = Number.isInteger(timeoutMs) && time >= 1_000 && time <= timeoutMsMax
  if (typeof apiKeyEnv !== 'string' || typeof appIdEnv !== 'string' || !isTime) {
    throw new Error(`PARSER_ENGINES: apiKeyEnv and appIdEnv of ${name} are names of variables, timeoutMs is 1,000 to ${timeoutMsMax}`)
  }
  return { name, baseUrl: url.href.replace(/\/+$/u, ''), apiKeyEnv, appIdEnv, timeoutMs: time }
}
