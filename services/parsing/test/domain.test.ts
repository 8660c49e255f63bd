import t from 'tap'
import { domains } from '../../../shared/contracts/domain.ts'
import { guessDomain } from '../domain/domain-of.ts'
import { samplePapers, type Candidate } from '../domain/sample-papers.ts'

const paper = (title: string, text: string) => ({ title, abstract: { text, page: 1 }, sections: [] })

t.test('the domain of a paper is the one whose words it uses', async t => {
  t.equal(guessDomain(paper('Iron deficiency in patients with infection', 'A randomised trial of treatment in hospital patients; blood and serum were taken at diagnosis.')), 'medical')
  t.equal(guessDomain(paper('Spectra of a crystal lattice', 'The magnetic compound was prepared by synthesis and its spectra show quantum spin scattering.')), 'natural')
  t.equal(guessDomain(paper('A software architecture', 'The system learns a neural network for users of web software; the algorithm has higher accuracy on the dataset.')), 'engineering')
  t.equal(guessDomain(paper('블록체인 투표 시스템의 설계', '사용자의 데이터를 서버에서 보안하는 시스템을 구현하였다. 알고리즘의 성능을 보인다.')), 'engineering')
  t.equal(guessDomain(paper('On the ballads of the north', 'Songs were sung, and people remembered them.')), 'other')
  t.equal(guessDomain({ title: '', abstract: null, sections: [] }), 'other')
})

t.test('a sample', async t => {
  const candidates = Array.from({ length: 90 }, (_, i): Candidate =>
    ({ paperId: `pap_${i}`, domain: domains[i % 3]!, figures: i % 5 }))
  const wanted = { quotas: { medical: 5, natural: 3, engineering: 40 }, seed: 42, figuresMin: 2 }
  const { papers, missing } = samplePapers(candidates, wanted)

  t.test('keeps to quotas and figures, and says what is missing', async t => {
    const count = (domain: string) => papers.filter(paper => paper.domain === domain).length
    t.same([count('medical'), count('natural'), count('engineering')], [5, 3, 18])
    t.ok(papers.every(({ figures }) => figures >= 2))
    t.same(missing, { engineering: 22 })
  })

  t.test('does not depend on the order of the papers, but on the seed', async t => {
    t.same(samplePapers(candidates.toReversed(), wanted), { papers, missing })
    t.notSame(samplePapers(candidates, { ...wanted, seed: 43 }).papers, papers)
  })

  t.test('changes by one paper at most when one more is there', async t => {
    for (let i = 0; i < 20; i++) {
      const added: Candidate = { paperId: `pap_new${i}`, domain: 'medical', figures: 9 }
      const more = samplePapers([...candidates, added], wanted).papers
      const before = new Set(papers.map(({ paperId }) => paperId))
      t.ok(more.filter(({ paperId }) => !before.has(paperId)).length <= 1)
    }
  })

  t.test('draws every paper equally often', async t => {
    const drawn = new Map<string, number>()
    for (let seed = 0; seed < 400; seed++) {
      const { papers } = samplePapers(candidates, { quotas: { medical: 6 }, seed, figuresMin: 0 })
      for (const { paperId } of papers) {
        drawn.set(paperId, (drawn.get(paperId) ?? 0) + 1)
      }
    }
    t.equal(drawn.size, 30)
    // 400 draws of 6 of 30: 80 each, with a standard deviation of 8.
    t.ok([...drawn.values()].every(count => count > 80 - 40 && count < 80 + 40))
  })
})
