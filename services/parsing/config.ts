/** Settings of parsing, by the names they have in the environment; units come last. */
import { availableParallelism } from 'node:os'
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  FETCH_ALLOW: Type.String({
    default: '',
    description: 'Hosts that POST /v1/papers {url} may ask although they are not public, such as a mirror of your own: names, addresses and CIDR ranges separated by commas, each with :port where it is not 80 or 443. For example mirror.lab.example,10.1.0.0/16:8080.'
  }),
  PARSER_ENGINES: Type.String({
    default: '',
    description: 'External parsers for ?engine=, separated by commas: grobid=http://host:8070, docling=http://host:5001, mathpix=https://api.mathpix.com; or JSON [{name, baseUrl, apiKeyEnv?, appIdEnv?, timeoutMs?}]. Their keys are read from DOCLING_API_KEY, MATHPIX_APP_ID and MATHPIX_APP_KEY unless apiKeyEnv and appIdEnv name others.'
  }),
  PARSING_PROCESSES: Type.Integer({
    minimum: 0,
    maximum: 64,
    default: 0,
    description: 'Papers parsed at once, each in its own process; 0 = one less than the cores, at least 1.'
  }),
  PARSING_TIMEOUT_MS: Type.Integer({
    minimum: 1_000,
    maximum: 600_000,
    default: 20_000,
    description: 'Wall clock for one paper; papers of our corpora take under 3 s.'
  }),
  PARSING_MEMORY_MB: Type.Integer({
    minimum: 256,
    maximum: 8_192,
    default: 400,
    description: 'Resident memory of one parser process; an idle one has about 130.'
  }),
  PARSING_OUTPUT_MB: Type.Integer({
    minimum: 1,
    maximum: 1_024,
    default: 200,
    description: 'Document and figure images of one paper together.'
  }),
  PARSING_PAGES_MAX: Type.Integer({
    minimum: 1, maximum: 5_000, default: 300, description: 'Longer files are refused.'
  }),
  PARSING_OCR_PAGES_MAX: Type.Integer({
    minimum: 1, maximum: 1_000, default: 40, description: 'Pages of a scan whose text is recognised (?ocr=true); longer ones are refused.'
  }),
  PARSING_OCR_TIMEOUT_MS: Type.Integer({
    minimum: 10_000, maximum: 3_600_000, default: 600_000, description: 'Wall clock for one paper whose text is recognised; a page takes about 5 to 15 s.'
  }),
  PARSING_OCR_MEMORY_MB: Type.Integer({
    minimum: 512, maximum: 8_192, default: 1_024, description: 'Resident memory of the process that recognises text; there is one at a time.'
  }),
  PARSING_OCR_LANGUAGES: Type.String({
    pattern: '^[a-z]{3}(_[a-z]{3,4})?(\\+[a-z]{3}(_[a-z]{3,4})?){0,3}$',
    default: 'eng',
    description: 'Languages that are looked for, as Tesseract names them, joined by +: eng+kor. eng and kor are installed; others are npm packages @tesseract.js-data/….'
  }),
  PARSING_UPLOAD_MB: Type.Integer({
    minimum: 1, maximum: 512, default: 64, description: 'Largest file that is accepted, in MiB.'
  }),
  PARSING_DOCUMENTS_PER_PROCESS: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 20,
    description: 'After so many papers a parser process is replaced, and after any failure.'
  })
})

export type Config = Static<typeof Config>

/** How many parser processes the settings ask for. */
export function processesOf (config: Config): number {
  return config.PARSING_PROCESSES || Math.max(1, availableParallelism() - 1)
}
