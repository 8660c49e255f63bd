/**
 * A real vLLM on the CPU with a model of 0.4 million random weights: its text means nothing, its
 * HTTP, streams, aborts, constraints and metrics are the real ones.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../shared/testing/free-port.ts'
import { pythonWith } from '../../../shared/testing/python.ts'
import { cacheFolder, startProcess, type Engine } from './engine.ts'

const run = promisify(execFile)
const version = '0.32.0'
const model = 'tiny'
const contextLength = 1024

const config = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 128,
  num_attention_heads: 2,
  num_key_value_heads: 2,
  // The CPU's attention takes few sizes of heads; 64 is one.
  head_dim: 64,
  num_hidden_layers: 2,
  intermediate_size: 256,
  vocab_size: 512,
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-5,
  hidden_act: 'silu',
  torch_dtype: 'float32',
  bos_token_id: 1,
  eos_token_id: 2
}
const tokenizerConfig = {
  tokenizer_class: 'PreTrainedTokenizerFast',
  bos_token: '<s>',
  eos_token: '</s>',
  unk_token: '<unk>',
  model_max_length: 2048,
  chat_template: '{% for m in messages %}{{ m[\'role\'] }}: {{ m[\'content\'] }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}'
}
/** Trains a byte-level tokenizer on a sentence, so that no file of anybody's model is needed. */
const train = `
import sys
from tokenizers import Tokenizer, models, trainers, pre_tokenizers, decoders
t = Tokenizer(models.BPE())
t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
t.decoder = decoders.ByteLevel()
t.train_from_iterator(['the quick brown fox jumps over the lazy dog, and a paper has a title.'] * 3, trainers.BpeTrainer(
    vocab_size=512, special_tokens=['<unk>', '<s>', '</s>'], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
t.save(sys.argv[1])
`

/** Installs what is missing (3 GB, some minutes), and starts the server. */
export async function startVllm (say: (line: string) => void): Promise<Engine> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('vLLM on the CPU is set up here for Linux on x86-64 only; name a running one with --url.')
  const folder = join(cacheFolder, 'conformance', `vllm-${version}`)
  const python = await pythonWith({ folder, requirements: await requirements(), leastMinor: 11, say })
  await nameIt(python)
  const modelFolder = await tinyModel(python, join(cacheFolder, 'conformance', 'tiny'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  say('Starting vLLM (about a minute)')
  const close = await startProcess({
    name: 'vllm',
    command: join(dirname(python), 'vllm'),
    arguments: [
      'serve', modelFolder, '--load-format', 'dummy', '--dtype', 'float32', '--max-model-len', String(contextLength),
      '--max-num-seqs', '8', '--enforce-eager', '--host', '127.0.0.1', '--port', String(port), '--served-model-name', model,
      '--enable-prompt-tokens-details', '--enable-server-load-tracking'
    ],
    env: {
      VLLM_CPU_KVCACHE_SPACE: '1', VLLM_CPU_OMP_THREADS_BIND: '0', HF_HUB_OFFLINE: '1', VLLM_NO_USAGE_STATS: '1', DO_NOT_TRACK: '1'
    },
    url
  })
  return { url, model, version, contextLength, close }
}

async function requirements (): Promise<string[]> {
  const text = await readFile(new URL('vllm-requirements.txt', import.meta.url), 'utf8')
  return text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
}

/** The package is called vllm-cpu, and its command asks for the version of a package called vllm. */
async function nameIt (python: string): Promise<void> {
  const { stdout } = await run(python, ['-c', 'import sysconfig; print(sysconfig.get_paths()["purelib"])'])
  const folder = join(stdout.trim(), `vllm-${version}+cpu.dist-info`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'METADATA'), `Metadata-Version: 2.1\nName: vllm\nVersion: ${version}+cpu\n`)
}

async function tinyModel (python: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify(tokenizerConfig))
  await run(python, ['-c', train, join(folder, 'tokenizer.json')])
  return folder
}
