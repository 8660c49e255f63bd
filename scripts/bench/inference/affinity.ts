/**
 * Questions on the same papers at four model servers with a prefix cache: ours sends them where the
 * paper has been read, nginx goes round.
 */
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { seededRandom } from '../../../shared/testing/random.ts'
import { chatBody } from './bodies.ts'
import { callerOf, inTurns } from './calls.ts'
import { milliseconds, quantile, type Figure, type Settings } from './figure.ts'
import { needPrograms, type Server } from './process.ts'
import { startNginx, startProxy } from './servers.ts'

const papers = 48
const questions = 16
const paperBytes = 24_000
/** Each server holds a third of the papers, of which it gets a quarter when they are kept apart. */
const engine = {
  prefillTokensPerS: 40_000, ttftMs: 10, itlMs: 2, maxNumSeqs: 32, kvBlocks: 6_000, maxModelLen: 16_384
}
const width = 24

interface Way { firstMs: number[], cached: number, prompt: number }

export async function affinity ({ rounds }: Settings): Promise<Figure[]> {
  needPrograms(['nginx'])
  const ways: Record<'proxy' | 'nginx', Way> = {
    proxy: { firstMs: [], cached: 0, prompt: 0 }, nginx: { firstMs: [], cached: 0, prompt: 0 }
  }
  for (let round = 0; round < rounds; round++) {
    await ask(ways.nginx, round, startNginx)
    await ask(ways.proxy, round, async urls => await startProxy({ urls, slots: 32 }))
  }
  const first = (name: 'proxy' | 'nginx', share: number) => quantile(ways[name].firstMs, share)
  const hits = (name: 'proxy' | 'nginx') => ways[name].cached / ways[name].prompt
  const ratio = first('proxy', 0.99) / first('nginx', 0.99)
  return [{
    what: 'first token by prefix affinity: p50, p99, share of prompt tokens cached',
    bar: 'p99 ≤ 0.5 of round-robin, ≥ 85 % cached',
    met: ratio <= 0.5 && hits('proxy') >= 0.85,
    measured: `${milliseconds(first('proxy', 0.5))}, ${milliseconds(first('proxy', 0.99))}, ${(100 * hits('proxy')).toFixed(0)} % (round-robin ${milliseconds(first('nginx', 0.5))}, ${milliseconds(first('nginx', 0.99))}, ${(100 * hits('nginx')).toFixed(0)} %)`,
    n: `${rounds} rounds, 4 servers, ${papers} papers of 6,000 tokens with ${questions} questions, ${width} at once`,
    values: {
      p50Ms: first('proxy', 0.5),
      p99Ms: first('proxy', 0.99),
      roundRobinP50Ms: first('nginx', 0.5),
      roundRobinP99Ms: first('nginx', 0.99),
      cached: hits('proxy'),
      roundRobinCached: hits('nginx')
    }
  }]
}

/** With servers that have read nothing yet. */
async function ask (way: Way, seed: number, start: (urls: string[]) => Promise<Server>): Promise<void> {
  const fakes = await Promise.all(Array.from({ length: 4 }, async () => await fakeVllm(engine)))
  const server = await start(fakes.map(({ url }) => url))
  const caller = callerOf(server.url)
  try {
    const order = shuffled(papers * questions, seed)
    await inTurns({ count: order.length, width }, async at => {
      const nth = order[at] ?? 0
      const paper = `Paper ${seed}-${nth % papers}. `.repeat(8)
      const began = performance.now()
      const { status } = await caller.ask(question(paper, nth), {
        first: at => { way.firstMs.push(at - began) }
      }).done
      if (status !== 200) throw new Error(`A question got status ${status}`)
    })
    for (const { promptTokens, cachedTokens } of fakes.flatMap(({ journal }) => journal)) {
      way.prompt += promptTokens ?? 0
      way.cached += cachedTokens ?? 0
    }
  } finally {
    await caller.close()
    await server.stop()
    for (const fake of fakes) await fake.close()
  }
}

/** As many models of several people ask: no paper's questions come together. */
function shuffled (count: number, seed: number): number[] {
  const { next } = seededRandom(seed)
  return Array.from({ length: count }, (_, nth) => ({ nth, at: next() }))
    .sort((a, b) => a.at - b.at).map(({ nth }) => nth)
}

/** The paper first, which all its questions share. */
function question (paper: string, nth: number): string {
  return chatBody({
    bytes: paperBytes,
    ask: paper,
    stream: true,
    maxTokens: 8,
    extra: { seed: nth }
  }).replace(/"\}\],"max_tokens"/, ` Question ${nth}: is it so?"}],"max_tokens"`)
}
