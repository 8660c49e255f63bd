import t from 'tap'
import { paperIdOf } from '../../../shared/contracts/hash.ts'
import { finishDocument } from '../../../services/parsing/domain/finish-document.ts'
import { parsePdf } from '../../../services/parsing/parse-pdf.ts'
import { quotes, ways } from '../../../services/parsing/test/fixtures/hidden-ways.ts'
import { makePdf } from '../../../services/parsing/test/fixtures/made-pdf.ts'
import { givenModel } from './given-model.ts'

t.test('what a PDF hides from its readers enters no prompt', async t => {
  const documents = []
  for (const [way, made] of Object.entries(ways)) {
    // There readers see the sentence itself.
    if (quotes[way] !== undefined) continue
    const bytes = makePdf(made)
    const paperId = paperIdOf(bytes)
    const { document } = finishDocument((await parsePdf(bytes, { paperId })).document)
    documents.push(document)
  }
  const { made, fake } = await givenModel(t, { documents })
  for (const contentMode of ['sections', 'full', 'semantic']) {
    const { generation } = await made({ kinds: ['qa', 'vqa'], contentMode })
    t.ok(generation.outcome!.calls >= documents.length, contentMode)
  }
  // Papers that differ in what they hide alone give the same prompts: most are answered from the record.
  const prompts = fake.journal.map(({ body }) => JSON.stringify(body))
  t.ok(prompts.every(prompt => prompt.includes('running text that every reader sees')))
  t.same(prompts.filter(prompt => /best grade|Reviewers must/u.test(prompt)), [])
  t.equal(documents.length, Object.keys(ways).length - Object.keys(quotes).length)
})
