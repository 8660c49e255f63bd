import t from 'tap'
import { lostExponent } from '../powers.ts'

t.test('a power of ten whose exponent stands on the line is seen', async t => {
  const lost = [
    'seeded at 1.2 × 104 cells/well', '1.5 × 108 CFU', 'about 3.1 x 1012 atoms', 'a rate of 2×10−7', 'of 5 · 10-3 m',
    '2.7 ⋅ 1012 cm', 'with p < 10−7 for both', 'at 10-6 M of it', 'some × 106 cells'
  ]
  for (const text of lost) t.type(lostExponent(text), 'string', text)
  t.equal(lostExponent('The wells were seeded at 1.2 × 104 cells/well.'), 'eded at 1.2 × 104 cells/well.')
})

t.test('what says what it means is left alone', async t => {
  const sound = [
    '1.2 × 10⁴ cells', '1.2 × 10^4', '10⁻⁷', '5 × 100 mL', '3 × 1000 cells', 'pictures of 768 × 1024 and 1280 x 1024 pixels',
    'for 10–15 min', 'a rate of 10−50 M/yr', 'of 18+10−5', 'from 10-15 mice', '8 × 10 cm', '8 × 10.5 cm', 'in 104 patients', 'doi 10.1039/c5', '2010−12', '4 × 1056789',
    '10-4 of them', 'IL-10-4', '2 × 10,500'
  ]
  for (const text of sound) t.equal(lostExponent(text), undefined, text)
})

t.test('a text as long as a paper takes no longer than its length', { timeout: 20_000 }, async t => {
  for (const piece of ['1', '× ', '10', '10 ', '10−', '111 ', ' ']) t.equal(lostExponent(piece.repeat(60_000)) !== '', true, piece)
})
