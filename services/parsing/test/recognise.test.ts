import t from 'tap'
import { declaredBy } from '../domain/declared.ts'
import { bytesToSee, recognise, recogniseBytesMax } from '../domain/recognise.ts'

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const jats = '<article article-type="research-article"><front><article-meta/></front></article>'
const doctype = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) v1.2//EN" "https://jats.nlm.nih.gov/x.dtd">'

const formats: Array<[string, string | Buffer, string]> = [
  ['a PDF', '%PDF-1.7\n', 'pdf'],
  ['a PDF behind some other bytes', `junk\n${'x'.repeat(500)}%PDF-1.4\n`, 'pdf'],
  ['JATS', jats, 'jats'],
  ['JATS with declaration, comment, instruction and document type', `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- <html> -->\n<?x-y z?>\n${doctype}\n${jats}`, 'jats'],
  ['JATS with an internal subset', `<!DOCTYPE article [<!ENTITY a "<html>]>"><!-- ]> -->]>${jats}`, 'jats'],
  ['JATS in UTF-16', utf16(`<?xml version="1.0" encoding="UTF-16"?>${jats}`), 'jats'],
  ['JATS in big-endian UTF-16', utf16(jats).swap16(), 'jats'],
  ['JATS with a prefix', jats.replaceAll('<a', '<j:a').replaceAll('<front', '<j:front'), 'jats'],
  ['JATS in the set that PubMed Central gives', `<pmc-articleset>${jats}</pmc-articleset>`, 'jats'],
  ['the old DTD of BMC', '<art><ui>1471-2148</ui><ji>1471-2148</ji><fm/></art>', 'jats'],
  ['TEI', '<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/></TEI>', 'tei'],
  ['HTML by LaTeXML', `<!DOCTYPE html><html><head><style>${'a{}'.repeat(9_000)}</style></head><body><article class="ltx_document">`, 'html'],
  ['a gzip file', Buffer.from([0x1F, 0x8B, 8, 0]), 'latex'],
  ['a zip file', 'PK\x03\x04', 'latex'],
  ['a tar file', `${'\0'.repeat(257)}ustar\0`, 'latex'],
  ['one LaTeX file, after its comments', `% ${'x'.repeat(3_000)}\n\n\\RequirePackage{a}\n\\documentclass{article}`, 'latex'],
  ['LaTeX 2.09', '\\documentstyle[12pt]{article}', 'latex']
]
for (const [what, bytes, format] of formats) {
  t.test(`${what} is ${format}`, async t => {
    t.same(recognise(Buffer.from(bytes as string)), { format })
    if (format !== 'pdf') t.same(recognise(Buffer.from(bytes as string), 'text'), { format }, 'whatever is declared')
  })
}

const refused: Array<[string, string, RegExp]> = [
  ['a web page', '<!doctype html><title>Sign in</title>', /web page.*download the PDF/],
  ['DocBook', '<article><info><title>x</title></info></article>', /without the <front> of JATS/],
  ['other XML', '<?xml version="1.0"?><rss></rss>', /root <rss>/],
  ['an endless comment', `<!--${' '.repeat(400_000)}`, /no element/],
  ['a document type without end', '<!DOCTYPE article [ "', /no element/],
  ['plain text', 'Title\n\nText.', /Markdown and plain text are read when declared/],
  ['the word documentclass', 'Of \\documentclass{article}', /neither PDF/]
]
for (const [what, text, fault] of refused) {
  t.test(`${what} is refused with what to do`, async t => {
    t.match(recognise(Buffer.from(text)), { fault })
  })
}

t.test('Markdown and text are what they are declared as, unless they hold no text', async t => {
  t.same(recognise(Buffer.from('# Title'), 'markdown'), { format: 'markdown' })
  t.same(recognise(Buffer.from('On %PDF- headers'), 'text'), { format: 'text' })
  t.same(recognise(Buffer.from('<p>Markdown may begin so</p>'), 'markdown'), { format: 'markdown' })
  t.match(recognise(Buffer.from('\x00\x01\x02'), 'text'), { fault: /no text/ })
})

t.test('of most files a kilobyte is asked for, of markup and LaTeX up to a maximum', async t => {
  t.equal(bytesToSee(Buffer.from('%PDF-1.7')), 1_024)
  t.equal(bytesToSee(Buffer.from('PK')), 1_024)
  for (const start of ['<', '\uFEFF  <!--', '% a comment', '\\document']) t.equal(bytesToSee(Buffer.from(start)), recogniseBytesMax)
})

t.test('a part without a type, which reads as text/plain, declares text only by a name that fits', async t => {
  const by = (filename: string, mimetype = 'text/plain') => declaredBy({ filename, mimetype })
  for (const name of ['login.pdf', 'page.html', 'plot.png', 'paper', '']) t.equal(by(name), undefined, name)
  t.equal(by('notes.TXT'), 'text')
  t.equal(by('paper.md'), 'markdown')
  t.equal(by('paper.pdf', 'text/markdown'), 'markdown')
  t.equal(by('paper.md', 'application/octet-stream'), undefined)
})
