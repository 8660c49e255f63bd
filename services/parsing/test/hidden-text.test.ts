import t from 'tap'
import { layOut } from '../domain/layout.ts'
import { parsePdf } from '../parse-pdf.ts'
import { charFlags, type Box } from '../domain/page-glyphs.ts'
import { screenPage } from '../domain/hidden-text.ts'
import { drawPage, fonts } from './fixtures/glyph-page.ts'
import { order, quotes, seen, ways } from './fixtures/hidden-ways.ts'
import { makePdf, stream, textLines, type MadePdf } from './fixtures/made-pdf.ts'

t.test('text that readers cannot see is no content, and is shown as a warning', async t => {
  for (const [way, made] of Object.entries(ways)) {
    const { document } = await parsePdf(makePdf(made), { paperId: `paper_${'0'.repeat(32)}` })
    const { warnings, ...content } = document
    const warned = warnings.filter(({ code }) => code === 'hidden-text')
    t.equal(warned.length, 1, `${way} is flagged`)
    t.equal(warned[0]?.page, 1)
    t.match(warned[0]?.detail, quotes[way] ?? 'best grade', `${way} is quoted`)
    if (quotes[way] === undefined) t.notMatch(JSON.stringify(content), 'best grade', `${way} is left out`)
    t.notMatch(JSON.stringify(content), /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|\uDB40/)
  }
})

/** What honest papers do. */
const honest: Record<string, MadePdf> = {
  'white on a dark box': { content: `${seen} 0 0 0.5 rg 60 480 500 40 re f 1 g ${textLines([order], { y: 500 })} 0 g` },
  'on a tinted box': { content: `${seen} 0.9 g 60 480 500 40 re f 0 g ${textLines([order], { y: 500 })}` },
  'grey on white': { content: `${seen} 0.6 g ${textLines([order], { y: 500 })} 0 g` },
  'on a picture': { content: `${seen} q 500 0 0 40 60 480 cm /I1 Do Q ${textLines([order], { y: 500 })}` },
  'with a clip around it': { content: `${seen} q 60 480 500 40 re W n ${textLines([order], { y: 500 })} Q` },
  'in a layer that is on': {
    content: `${seen} /OC /MC0 BDC ${textLines([order], { y: 500 })} EMC`,
    resources: '/Properties << /MC0 20 0 R >>',
    objects: ['<< /Type /OCG /Name (shown) >>'],
    catalog: '/OCProperties << /OCGs [20 0 R] /D << /BaseState /ON /Order [20 0 R] >> >>'
  },
  'replaced by what it shows': { content: `${seen} /Span << /ActualText (${order}) >> BDC ${textLines([order], { y: 500 })} EMC` }
}

t.test('text that readers can see is content, whatever lies around it', async t => {
  for (const [way, made] of Object.entries(honest)) {
    const { document } = await parsePdf(makePdf(made), { paperId: `paper_${'0'.repeat(32)}` })
    t.same(document.warnings.filter(({ code }) => code === 'hidden-text'), [], `${way} is not flagged`)
    t.match(JSON.stringify(document), 'best grade', `${way} is kept`)
  }
})

t.test('metadata is no content', async t => {
  const { document } = await parsePdf(makePdf({ content: seen, info: `/Subject (${order}) /Keywords (${order})` }), { paperId: `paper_${'0'.repeat(32)}` })
  t.notMatch(JSON.stringify(document), 'best grade')
})

t.test('text cut off with the rest of a drawing is left out without a warning', async t => {
  const form = stream(textLines(['shown in the drawing', order], { y: 500 }), '/Type /XObject /Subtype /Form /BBox [60 495 600 520] /Resources << /Font << /F1 5 0 R >> >>')
  const made = { content: `${seen} /Fm0 Do`, objects: [form], resources: '/XObject << /Fm0 20 0 R >>' }
  const { document } = await parsePdf(makePdf(made), { paperId: `paper_${'0'.repeat(32)}` })
  t.same(document.warnings.filter(({ code }) => code === 'hidden-text'), [])
  t.notMatch(JSON.stringify(document), 'best grade')
})

t.test('words under or over the picture of a scan are its text', async t => {
  const words = Array.from({ length: 6 }, (_, i) =>
    ({ text: 'Words that an OCR program has read from a page.', x: 60, y: 100 + 12 * i, size: 10 }))
  const over = drawPage(words)
  over.chars.flags.fill(charFlags.invisible)
  const under = drawPage(words)
  under.chars.layer.fill(1)
  const scan = { kind: 'image' as const, box: [0, 0, 600, 800] as Box, layer: 2, opaque: true }
  for (const page of [over, under]) {
    const scanned = { ...page, objects: [scan] }
    t.same(screenPage(scanned).found, [])
    t.equal(layOut([scanned], fonts).pages[0]!.lines.length, 6)
  }
  t.match(screenPage(over).found, [{ hiding: 'invisible', page: 1 }])
  t.equal(layOut([over], fonts).pages[0]!.lines.length, 0)
})
