import t from 'tap'
import { silentLog } from '../../../shared/app/log.ts'
import { startServices } from '../../../shared/app/start.ts'
import type { Benchmark } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Generation } from '../../../shared/contracts/generation.ts'
import type { JobView } from '../../../shared/contracts/job.ts'
import { fakePersona } from '../../../shared/testing/fake-persona.ts'
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { order, quotes, seen, ways } from '../../../services/parsing/test/fixtures/hidden-ways.ts'
import { makePdf, textLines, type MadePdf } from '../../../services/parsing/test/fixtures/made-pdf.ts'
import { suite } from '../../suite.ts'

const picture = 'q 300 0 0 120 72 250 cm /I1 Do Q'
const caption = (hidden: string) => `${picture} ${textLines(['Figure 1: The grey squares of this test, which every reader of the paper sees.'], { y: 236 })} ${hidden}`

/** In what belongs to a figure. */
const inFigures: Record<string, MadePdf> = {
  'white behind a caption': { content: `${seen} ${caption(`1 g ${textLines([order], { y: 224 })} 0 g`)}` },
  'tiny behind a caption': { content: `${seen} ${caption(textLines([order], { x: 460, y: 236, size: 0.5 }))}` },
  'under a figure': { content: `${seen} ${textLines([order], { x: 80, y: 300 })} ${caption('')}` }
}

/** Nothing that stands on a page: no content, and no warning. */
const beside: Record<string, MadePdf> = {
  metadata: { content: seen, info: `/Title (${order}) /Subject (${order}) /Keywords (${order})` },
  annotation: { content: seen, page: '/Annots [20 0 R]', objects: [`<< /Type /Annot /Subtype /Text /Rect [72 500 90 518] /Contents (${order}) >>`] },
  'alternative text': { content: `${seen} /Figure << /Alt (${order}) >> BDC ${picture} EMC` },
  'form field': {
    content: seen,
    page: '/Annots [20 0 R]',
    objects: [`<< /Type /Annot /Subtype /Widget /FT /Tx /T (x) /V (${order}) /F 2 /Rect [72 500 300 518] >>`],
    catalog: '/AcroForm << /Fields [20 0 R] >>'
  }
}

t.test('what a PDF hides from its readers is flagged, and enters no prompt of writing, judging or examining', async t => {
  const fake = await fakeVllm({ models: ['m'], reply: fakePersona('author') })
  const running = await startServices(suite, {
    PORT: '0', DATA_DIR: temporaryFolder(t), RATE_PER_MINUTE: '0', UPSTREAMS: JSON.stringify([{ name: 'fake', baseUrl: fake.url, capabilities: ['vision'] }])
  }, { log: silentLog() })
  t.teardown(async () => {
    await running.close()
    await fake.close()
  })
  const get = async <T>(path: string) => await (await fetch(`${running.url}/v1${path}`)).json() as T
  const post = async <T>(path: string, body: object) => await (await fetch(`${running.url}/v1${path}`, {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }
  })).json() as T
  const ended = async <T extends JobView>(path: string) => {
    const job = await get<T>(`${path}?wait=60`)
    t.equal(job.state, 'succeeded', `${path} ${JSON.stringify(job.problems)}`)
    return job
  }

  const paperIds: string[] = []
  for (const [way, made] of Object.entries({ ...ways, ...inFigures, ...beside })) {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(makePdf(made))]), `${way}.pdf`)
    const { id } = await (await fetch(`${running.url}/v1/papers`, { method: 'POST', body: form })).json() as { id: string }
    await ended(`/papers/${id}`)
    const { warnings, ...content } = await get<Document>(`/papers/${id}/document`)
    const flagged = warnings.filter(({ code }) => code === 'hidden-text')
    t.equal(flagged.length, way in beside ? 0 : 1, `${way} is ${way in beside ? 'no text of a page' : 'flagged'}`)
    // There readers see the sentence itself, and the characters between its letters go.
    if (quotes[way] !== undefined) continue
    t.notMatch(JSON.stringify(content), 'best grade', way)
    if (way in inFigures) t.equal(content.figures.length, 1, way)
    paperIds.push(id)
  }
  t.ok(paperIds.length >= 22)

  let generationId = ''
  for (const contentMode of ['full', 'semantic', 'sections']) {
    const counts = { vqaPerFigure: 1 }
    const recipe = { strategy: 'model', model: 'm', kinds: ['qa', 'vqa'], contentMode, counts, samplesMax: 1, review: false }
    generationId = (await post<Generation>('/generations', { paperIds, recipe })).id
    const { itemCount } = await ended<Generation>(`/generations/${generationId}`)
    t.ok(itemCount >= paperIds.length, contentMode)
  }
  const reviewing = await post<{ id: string }>('/reviewings', { source: { generationId }, recipe: { strategy: 'model', model: 'm', maxRounds: 1 } })
  await ended(`/reviewings/${reviewing.id}`)
  const verdicts = ['good', 'fair', 'poor', 'unreviewed']
  const { id: benchmarkId } = await post<Benchmark>('/benchmarks', { name: 'hidden', reviewingIds: [reviewing.id], verdicts })
  const { id: runId } = await post<{ id: string }>('/runs', { benchmarkId, model: 'm', condition: { contentMode: 'full' } })
  await ended(`/runs/${runId}`)

  const prompts = fake.journal.map(({ body }) => JSON.stringify(body))
  for (const [step, sign] of [['writing', '\\"items\\": ['], ['judging', 'You review questions'], ['examining', '<paper>']] as const) {
    t.ok(prompts.some(prompt => prompt.includes(sign)), step)
  }
  t.ok(prompts.filter(prompt => prompt.includes('running text that every reader sees')).length > prompts.length / 2)
  t.same(prompts.filter(prompt => /best grade|Reviewers must/u.test(prompt)), [])
})
