import t from 'tap'
import { codePointSlice } from '../normalise.ts'
import type { Passage } from '../passages.ts'
import { findQuote as findIn, quoteIndexOf } from '../quote.ts'

const paper = `The catalyst was heated to 450 °C for 2 h. The conversion of methane increased from 12.4% to 37.9%
when the pressure was raised. Catalyst B was not more active than catalyst A in the first 30 min [12, 13], whereas the
selectivity of 𝑥-substituted samples fell by 5 mol. A coefﬁcient of 0.85 was found for the polymerization experi-
ments. No effect of temperature on the crystallinity was observed.`

function findQuote (quote: string, text: string) {
  const passage: Passage = { index: 0, target: { type: 'abstract' }, sectionId: null, page: 1, text }
  const found = findIn(quoteIndexOf([[passage]]), quote)
  if ('reason' in found) return undefined
  const [{ pieces: [piece] = [], exact } = { exact: false }] = found.places
  if (piece === undefined) return undefined
  const { start, end } = piece
  const count = (to: number) => Array.from(text.slice(0, to)).length
  return { start: count(start), end: count(end), text: text.slice(start, end), exact }
}

const truths = [
  'The conversion of methane increased from 12.4% to 37.9% when the pressure was raised.',
  'The conversion of meth-\nane increased from 12.4% to 37.9%\nwhen the pres- sure was raised.',
  'conversion of methane in creased from 12.4 % to 37.9 % when pressure was raised',
  'A coefficient of 0.85 was found for the polymerization experiments.',
  'A coefficient of 0.85 was found for the polymerisation experiments.',
  'Catalyst B was not more active than catalyst A in the first 30 min, whereas the selectivity',
  'selectivity of x-substituted samples fell by 5 mol',
  'No eﬀect of temperature on the crystallinity was observed.'
]

const lies: Array<[string, string]> = [
  ['digit flip', 'The conversion of methane increased from 12.4% to 37.8% when the pressure was raised.'],
  ['swapped numbers', 'The conversion of methane increased from 37.9% to 12.4% when the pressure was raised.'],
  ['number cut', 'The conversion of methane increased from 2.4% to 37.9%'],
  ['direction', 'The conversion of methane decreased from 12.4% to 37.9% when the pressure was raised.'],
  ['negation dropped', 'Catalyst B was more active than catalyst A in the first 30 min, whereas the selectivity'],
  ['negation added', 'The conversion of methane was not increased from 12.4% to 37.9%'],
  ['names swapped', 'Catalyst A was not more active than catalyst B in the first 30 min'],
  ['unit', 'The catalyst was heated to 450 K for 2 h.'],
  ['unit', 'The catalyst was heated to 450 °C for 2 min.'],
  ['comparative', 'Catalyst B was not less active than catalyst A in the first 30 min'],
  ['one word', 'The conversion of ethanol increased from 12.4% to 37.9% when the pressure was raised.'],
  ['one word', 'The conversion of methane increased from 12.4% to 37.9% when the temperature was raised.'],
  ['one letter that matters', 'The conversion of ethane increased from 12.4% to 37.9% when the pressure was raised.'],
  ['other paper', 'We present a neural network for the translation of sentences.'],
  ['empty', '  ']
]

t.test('a true quote is found in spite of line breaks, and is the slice of the source', async t => {
  for (const quote of truths) {
    const match = findQuote(quote, paper)
    t.ok(match, quote)
    if (match !== undefined) t.equal(codePointSlice(paper, match.start, match.end), match.text)
  }
  t.equal(findQuote(truths[0] ?? '', paper)?.exact, true)
  t.match(findQuote(truths[5] ?? '', paper)?.text, /^Catalyst B .* whereas the\nselectivity$/u)
})

t.test('a quote that says something else is not found', async t => {
  for (const [fault, quote] of lies) t.equal(findQuote(quote, paper), undefined, `${fault}: ${quote}`)
})

t.test('every slice of the text is found where it stands, unless it cuts a negation off', async t => {
  const words = Array.from(paper.matchAll(/\S+/gu))
  const bare = (text = '') => text.replaceAll(/\s+/gu, ' ').replace(/ the$/iu, '').replace(/^[[\d\], ]+/u, '').replace(/[\s,.]+$/u, '')
  for (let i = 0; i + 8 < words.length; i++) {
    const from = words[i]?.index ?? 0
    const last = words[i + 8]
    const quote = paper.slice(from, (last?.index ?? 0) + (last?.[0].length ?? 0))
    const match = findQuote(quote, paper)
    const cut = /^(?:not|No)$/u.test(words[i - 1]?.[0] ?? '') || words[i + 9]?.[0] === 'not' || /experi-$|^ments|\[\d\d,$/u.test(words[i + 8]?.[0] ?? '') || /^(?:\[12|13|ments)/u.test(words[i]?.[0] ?? '')
    if (!cut) t.equal(bare(match?.text), bare(quote), quote)
  }
})

t.test('a citation mark may be left out of a quote, but not be another one', async t => {
  const text = 'The share lies in [0, 1] and was measured before [12] in cold water.'
  t.ok(findQuote('The share lies in [0, 1] and was measured before in cold water.', text))
  t.equal(findQuote('The share lies in [0, 2] and was measured before [12] in cold water.', text), undefined)
  t.equal(findQuote('The share lies in [0, 1] and was measured before [13] in cold water.', text), undefined)
})
