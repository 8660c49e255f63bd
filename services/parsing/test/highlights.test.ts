import t from 'tap'
import type { Section } from '../../../shared/contracts/document.ts'
import { highlightKeywords } from '../domain/highlight-keywords.ts'
import { findHighlights, highlightsMax } from '../domain/highlights.ts'

const box = [0, 0, 1, 1]
const abstractOf = (text: string) => ({ text, page: 1 })
function section (kind: Section['kind'], ...texts: string[]): Section {
  return {
    id: `s-${kind}`,
    number: '',
    title: kind,
    level: 1,
    parentId: null,
    kind,
    runIn: false,
    page: 1,
    box,
    paragraphs: texts.map((text, i) => ({ id: `${kind}-${i}`, text, page: 1, box }))
  }
}

t.test('findHighlights', async t => {
  t.test('tells problem, solution and results of an abstract apart', async t => {
    const { problem, solution, results } = findHighlights([], abstractOf(
      'A central challenge of sampling is its high variance in practice. ' +
      'We propose a stratified estimator that halves the number of draws. ' +
      'Experiments show an error of 2.1 % on all seven benchmark sets.'))
    t.match(problem[0], { keyword: 'challenge', sectionId: null, paragraphId: null, text: /^A central/ })
    t.match(solution[0], { keyword: 'propose', text: /^We propose/ })
    t.match(results[0], { keyword: 'show', text: /^Experiments show/ })
  })

  t.test('puts own work before that of others, and plain statements before negated ones', async t => {
    const { solution, results } = findHighlights([
      section('introduction', 'Smith et al. propose a method for the same task in 2019. We propose a method for the harder task here.'),
      section('results', 'The change did not improve the accuracy of the model at all. The larger batch improved the accuracy of the model clearly.')
    ], null)
    t.match(solution.map(({ text }) => text), [/^We propose/, /^Smith/])
    t.match(results.filter(({ keyword }) => keyword === 'improve').map(({ text }) => text), [/^The larger/, /^The change/])
  })

  t.test('follows the labels of a structured abstract', async t => {
    const { problem, solution, results } = findHighlights([], abstractOf(
      'Background: Iron is low in many adults of the region. Methods: Sera of 200 adults were taken in May and analysed. ' +
      'Results. Ferritin was lower in 31 % of all adults. It was lowest among the young adults.'))
    t.match(problem.map(({ text }) => text), [/^Background/])
    t.match(solution.map(({ text }) => text), [/^Methods/])
    t.match(results.map(({ text }) => text), [/^Ferritin/, /^It was/])
  })

  t.test('does not take "as a result" or a roadmap for a result', async t => {
    const { results } = findHighlights([section('introduction', 'As a result of rain the soil was wet. Section 3 shows the data of the soil. Our results show wet soil there.')], null)
    t.match(results.map(({ text }) => text), [/^Our results/, /^Section 3/])
  })

  t.test('names the paragraph a sentence stands in', async t => {
    const { results } = findHighlights([section('results', 'One calm sentence without any of them.', 'The results show a clear effect of dose.')], null)
    t.match(results, [{ sectionId: 's-results', paragraphId: 'results-1' }])
  })

  t.test('leaves references, acknowledgements and appendices out', async t => {
    const text = 'The results show that we propose a solution to a problem.'
    const lists = findHighlights([section('references', text), section('acknowledgements', text), section('appendix', text)], null)
    t.same(lists, { problem: [], solution: [], results: [] })
  })

  t.test('caps each list, best first, equal ones in the order of the paper, repeated ones once', async t => {
    const texts = Array.from({ length: 30 }, (_, i) => `The results show effect number ${i} very clearly.`)
    const { results } = findHighlights([section('results', ...texts, texts[0] ?? '')], abstractOf('The results show effect number 7 very clearly.'))
    t.equal(results.length, highlightsMax)
    t.match(results[0], { sectionId: null })
    t.same(results.slice(1, 4).map(({ paragraphId }) => paragraphId), ['results-0', 'results-1', 'results-2'])
    t.same(results.filter(({ text }) => text.includes('number 7 ')).length, 1)
  })

  t.test('a hostile megabyte takes less than a second', async t => {
    for (const text of ['('.repeat(500_000) + ' show', '(A'.repeat(300_000), 'show '.repeat(200_000), '[1'.repeat(400_000)]) {
      const start = performance.now()
      findHighlights([section('results', text)], null)
      t.ok(performance.now() - start < 1_000, text.slice(0, 8))
    }
  })

  t.test('the lists have the sizes the paper names, and no word twice', async t => {
    t.same(Object.values(highlightKeywords).map(list => list.length), [15, 20, 15])
    for (const list of Object.values(highlightKeywords)) {
      const forms = list.flatMap(({ forms }) => forms)
      t.equal(new Set(forms).size, forms.length)
    }
  })
})
