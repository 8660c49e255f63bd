import t from 'tap'
import type { Section } from '../../../shared/contracts/document.ts'
import { highlightKinds, keywordFiles, keywordFinder } from '../domain/highlight-keywords.ts'
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

  t.test('gives each sentence of an unlabelled abstract to the list that its order says', async t => {
    const { problem, solution, results } = findHighlights([], abstractOf(
      'It is unknown how much the pups of seals recognise of each other. ' +
      'Trials were performed in pens, and the behaviour of pairs was recorded. ' +
      'Pairs that used the same pen showed fewer attacks than others did.'))
    t.match(problem.map(({ text }) => text), [/^It is unknown/])
    t.match(solution.map(({ text }) => text), [/^Trials/])
    t.match(results.map(({ text }) => text), [/^Pairs/])
  })

  t.test('knows Korean words by how they begin, and negations by what follows', async t => {
    const { problem, solution, results } = findHighlights([], abstractOf(
      '기존 투표 방식에는 보안이 취약한 문제가 있다. ' +
      '본 논문에서는 블록체인을 이용한 새로운 투표 시스템을 제안한다. ' +
      '실험 결과 처리 속도가 30% 향상되었음을 확인하였다.'))
    t.match(problem, [{ keyword: '문제', text: /^기존/ }])
    t.match(solution, [{ keyword: '제안', text: /^본 논문/ }])
    t.match(results, [{ text: /^실험 결과/ }])
    const negated = findHighlights([section('results', '새로운 방식의 성능은 전혀 향상되지 않았다.', '새로운 방식의 성능은 크게 향상되었다.')], null)
    t.match(negated.results.map(({ text }) => text), [/크게/, /전혀/])
  })

  t.test('the lists have the sizes the paper names, and no word twice', async t => {
    for (const file of keywordFiles) {
      t.same(highlightKinds.map(kind => file[kind].length), [15, 20, 15], file.language)
      for (const kind of highlightKinds) {
        const forms = file[kind].flatMap(({ forms }) => forms)
        t.equal(new Set(forms).size, forms.length)
        t.ok(file[kind].every(({ weight, forms }) => [1, 2, 3].includes(weight) && forms.length > 0))
        t.ok(forms.every(form => form === form.toLowerCase() && form.split(' ').length <= 4))
      }
    }
  })

  t.test('inflections are the same keyword', async t => {
    const find = keywordFinder(keywordFiles, 'solution')
    for (const word of ['propose', 'proposes', 'proposed', 'proposing']) {
      t.match(find(['we', word, 'it']), [{ keyword: { keyword: 'propose' }, at: 1 }])
    }
    t.match(find(['little', 'was', 'carried', 'out']), [{ at: 2 }])
    t.same(find(['carried', 'on']), [])
  })
})
