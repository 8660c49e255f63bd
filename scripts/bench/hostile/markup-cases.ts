/** XML and HTML that bomb, reach out, or are cut: JATS, TEI, the old BMC form, LaTeXML's pages. */
import { seededRandom } from '../../../shared/testing/random.ts'
import { utf8, type HostileFile } from './hostile-file.ts'

const article = (body: string, { doctype = '', front = '' } = {}) => `<?xml version="1.0"?>
${doctype}<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><title-group><article-title>A title</article-title></title-group>${front}<abstract><p>An abstract.</p></abstract></article-meta></front><body><sec><title>Introduction</title><p>${body}</p></sec></body></article>`

const tei = (body: string, doctype = '') => `<?xml version="1.0"?>${doctype}<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>A title</title></titleStmt></fileDesc></teiHeader><text><body><div><head>Introduction</head><p>${body}</p></div></body></text></TEI>`

const bmc = (body: string, doctype = '') => `<?xml version="1.0"?>${doctype}<art><fm><bibl><title><p>A title</p></title></bibl></fm><bdy><sec><st><p>Background</p></st><p>${body}</p></sec></bdy></art>`

const page = (body: string, head = '') => `<!DOCTYPE html><html><head>${head}</head><body><article class="ltx_document"><h1 class="ltx_title ltx_title_document">A title</h1><section class="ltx_section"><h2 class="ltx_title ltx_title_section">Introduction</h2><div class="ltx_para"><p class="ltx_p">${body}</p></div></section></article></body></html>`

const entities = (lines: readonly string[]) => `<!DOCTYPE article [${lines.join('\n')}]>`
const laughs = entities(['<!ENTITY l0 "ha">', ...Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)])

const outside: [string, string, string][] = [
  ['a file as entity', entities(['<!ENTITY x SYSTEM "file:///etc/passwd">']), '&x;'],
  ['a web page as entity', entities(['<!ENTITY x SYSTEM "http://127.0.0.1:1/x">']), '&x;'],
  ['a parameter entity from outside', entities(['<!ENTITY % x SYSTEM "http://127.0.0.1:1/x.dtd">', '%x;']), 'text'],
  ['a document type from outside', '<!DOCTYPE article SYSTEM "http://127.0.0.1:1/x.dtd">', 'text'],
  ['a thousand million laughs', laughs, '&l30;'],
  ['quadratic growth', entities([`<!ENTITY a "${'a'.repeat(100_000)}">`]), '&a;'.repeat(10_000)],
  ['an entity that is itself', entities(['<!ENTITY a "&a;">']), '&a;'],
  ['100,000 declarations', entities(Array.from({ length: 100_000 }, (_, i) => `<!ENTITY e${i} "x">`)), 'text']
]

type Body = [name: string, body: () => string]

const bodies: Body[] = [
  ['a million numeric references', () => '&#97;'.repeat(1_000_000)],
  ['references to no character', () => '&#0;&#xD800;&#xFFFFFFFF;&#99999999999;'],
  ['100,000 unknown entities', () => '&nobody;'.repeat(100_000)],
  ['a line of 10 MB', () => 'a'.repeat(10 ** 7)],
  ['elements 100,000 deep', () => '<b>'.repeat(100_000) + '</b>'.repeat(100_000)],
  ['200,000 empty elements', () => '<b/>'.repeat(200_000)],
  ['50,000 attributes', () => `<b ${Array.from({ length: 50_000 }, (_, i) => `a${i}="1"`).join(' ')}>x</b>`],
  ['the names of objects as attributes', () => '<b __proto__="1" constructor="2" toString="3" id="__proto__">x</b>'],
  ['an attribute of 10 MB', () => `<b a="${'x'.repeat(10 ** 7)}">x</b>`],
  ['a script', () => '<script>alert(1)</script><img src="x" onerror="alert(1)"/>'],
  ['overrides of direction and tags', () => '‮evil‬ \u{e0041}\u{e0042} ​ ﻿'],
  ['50,000 references to a figure', () => '<xref ref-type="fig" rid="f1">Figure 1</xref><ref type="figure" target="#f1">Figure 1</ref> '.repeat(50_000)],
  ['20,000 formulas', () => '<disp-formula><label>(1)</label><tex-math>x^2</tex-math></disp-formula><formula>x</formula>'.repeat(20_000)],
  ['an image outside', () => '<fig id="f1"><label>Figure 1</label><caption><p>C</p></caption><graphic xlink:href="../../../../etc/passwd"/></fig><figure><graphic url="http://127.0.0.1:1/x.png"/></figure>'],
  ['a table that spans two thousand million', () => '<table-wrap id="t"><label>Table 1</label><table><tr><td colspan="2000000000" rowspan="2000000000">x</td></tr></table></table-wrap><figure type="table"><table><row><cell cols="2000000000" rows="2000000000">x</cell></row></table></figure>'],
  ['20,000 rows that each span 20,000', () => `<table-wrap id="t"><label>Table 1</label><table>${'<tr><td rowspan="20000" colspan="20000">x</td></tr>'.repeat(20_000)}</table></table-wrap>`],
  ['sections 2,000 deep', () => `</p>${'<sec><title>A</title>'.repeat(2_000)}${'</sec>'.repeat(2_000)}<p>`],
  ['30,000 sections', () => `</p>${'<sec><title>A</title><p>b</p></sec>'.repeat(30_000)}<p>`],
  ['marks that stack', () => 'a' + '́'.repeat(500_000)]
]

const webBodies: Body[] = [
  ['a million numeric references', () => '&#97;'.repeat(1_000_000)],
  ['elements 100,000 deep', () => '<div>'.repeat(100_000)],
  ['tags that never close', () => '<b><i><a>'.repeat(30_000)],
  ['tables in tables', () => '<table><tr><td>'.repeat(3_000)],
  ['a script', () => '<script>while(true){}</script><iframe src="http://127.0.0.1:1/"></iframe><img class="ltx_graphics" src="http://127.0.0.1:1/x.png">'],
  ['an image of 30 MB that is none', () => `<figure class="ltx_figure"><img class="ltx_graphics" src="data:image/png;base64,${'A'.repeat(30 * 10 ** 6)}"><figcaption class="ltx_caption">Figure 1: A</figcaption></figure>`],
  ['a table that spans two thousand million', () => '<figure class="ltx_table"><table class="ltx_tabular"><tr><td colspan="2000000000" rowspan="2000000000">x</td></tr></table></figure>'],
  ['a line of 10 MB', () => 'a'.repeat(10 ** 7)],
  ['a picture in another place', () => '<figure class="ltx_figure"><img class="ltx_graphics" src="file:///etc/passwd"><figcaption class="ltx_caption">Figure 1: A</figcaption></figure>']
]

function broken (seeds: number): HostileFile[] {
  return Array.from({ length: seeds }, (_, seed) => ({
    name: `markup: broken by chance, ${seed}`,
    bytes: () => {
      const random = seededRandom(seed)
      const whole = Buffer.from([article, tei, bmc, page][seed % 4]!('Some text. '.repeat(20)))
      if (seed % 2 === 0) return whole.subarray(0, random.whole(1, whole.length - 1))
      for (let i = 0; i < 1 + seed % 20; i++) whole[random.whole(0, whole.length - 1)] = random.whole(0, 255)
      return whole
    }
  }))
}

const encodings: [string, () => Uint8Array][] = [
  ['UTF-16 without saying so', () => Buffer.from(article('text'), 'utf16le')],
  ['UTF-16 with its mark', () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(article('text'), 'utf16le')])],
  ['an encoding that nobody knows', () => utf8(article('text').replace('version="1.0"', 'version="1.0" encoding="x-evil"'))],
  ['UTF-7', () => utf8(article('+ADw-script+AD4-').replace('version="1.0"', 'version="1.0" encoding="UTF-7"'))],
  ['bytes that are no UTF-8', () => Buffer.concat([utf8('<?xml version="1.0"?><article><front/><body><p>'), Buffer.alloc(1_000, 0xc0), utf8('</p></body></article>')])],
  ['NUL bytes', () => utf8(article('a\0b'))],
  ['32 MB of blanks before the root', () => utf8(' '.repeat(32 * 2 ** 20) + article('text'))],
  ['a comment of 20 MB before the root', () => utf8(`<!--${'x'.repeat(20 * 2 ** 20)}-->${article('text')}`)],
  ['a root that is only called article', () => utf8('<article><x/></article>')]
]

export function hostileMarkup (): HostileFile[] {
  const made: HostileFile[] = []
  for (const [name, doctype, body] of outside) {
    made.push({ name: `jats: ${name}`, bytes: () => utf8(article(body, { doctype })) })
    made.push({ name: `tei: ${name}`, bytes: () => utf8(tei(body, doctype.replace('DOCTYPE article', 'DOCTYPE TEI'))) })
  }
  for (const [name, body] of bodies) {
    made.push({ name: `jats: ${name}`, bytes: () => utf8(article(body())) })
    made.push({ name: `tei: ${name}`, bytes: () => utf8(tei(body())) })
  }
  for (const [name, body] of webBodies) made.push({ name: `html: ${name}`, bytes: () => utf8(page(body())) })
  made.push({ name: 'bmc: a thousand million laughs', bytes: () => utf8(bmc('&l30;', laughs.replace('DOCTYPE article', 'DOCTYPE art'))) })
  for (const [name, bytes] of encodings) made.push({ name: `jats: ${name}`, bytes })
  return [...made, ...broken(24)]
}
