import t from 'tap'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { PaperFormat } from '../../../../shared/contracts/paper.ts'
import { documentOf, html, jats, tei } from './fixtures/read.ts'

const many = (count: number, text: string) => text.repeat(count)
const inUtf8 = '<?xml version="1.0" encoding="UTF-8"?>'
const p = (text: string, before = '') => jats({ before, body: `<p>${text}</p>` })
const laughs = `<!DOCTYPE article [<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${many(10, `&l${i};`)}">`).join('')}]>`

/** What stands in the first paragraph, however wild the file. */
const harmless: Array<[string, PaperFormat, string | Buffer, string]> = [
  ['an external entity', 'jats', p('a &x; b', '<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), 'a &x; b'],
  ['a billion laughs', 'jats', p('&l9;', laughs), '&l9;'],
  ['a redefined entity of XML', 'jats', p('a &lt; b', '<!DOCTYPE article [<!ENTITY lt "evil">]>'), 'a < b'],
  ['names of HTML characters', 'jats', p('&alpha;&ndash;&hellip;'), 'α–…'],
  ['names of JavaScript', 'jats', p('&constructor;&__proto__;'), '&constructor;&__proto__;'],
  ['lone surrogates by number', 'jats', p('a&#xD800;b'), 'a&#xD800;b'],
  ['lone surrogates in UTF-16', 'jats', Buffer.from(`\uFEFF${p('a\uD800b')}`, 'utf16le'), 'ab'],
  ['zero bytes and control characters', 'jats', p('a\0b\u0001c'), 'abc'],
  ['bytes that are no UTF-8', 'jats', Buffer.from(p('caf\u00E9', inUtf8), 'latin1'), 'café'],
  ['Latin-1 as declared', 'jats', Buffer.from(p('caf\u00E9', '<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1'), 'café'],
  ['UTF-16 that it is not', 'jats', p('café', '<?xml version="1.0" encoding="UTF-16"?>'), 'café'],
  ['scripts as CDATA', 'jats', p('<![CDATA[<script>alert(1)</script>]]>'), '<script>alert(1)</script>'],
  ['scripts in HTML', 'html', html('<p class="ltx_p">a<script>alert(1)</script><style>p{}</style><img src="x" onerror="alert(1)">b</p>'), 'ab']
]

t.test('text is read as text', async t => {
  for (const [what, format, content, text] of harmless) {
    const { sections } = await documentOf(format, content)
    t.equal(sections[0]?.paragraphs[0]?.text, text, what)
  }
})

const refused: Array<[string, PaperFormat, () => string, string, RegExp]> = [
  ['cut short', 'jats', () => jats({ body: '<p>a</p>' }).slice(0, -20), 'paper-damaged', /not well-formed \(line 1, column \d+: unclosed tag/],
  ['not closed in order', 'jats', () => jats({ body: '<p><b></p></b>' }), 'paper-damaged', /unexpected close tag/],
  ['in UTF-7', 'jats', () => p('+ADw-', '<?xml version="1.0" encoding="UTF-7"?>'), 'paper-damaged', /encoding "utf-7"/],
  ['100,000 sections deep', 'jats', () => jats({ body: many(100_000, '<sec>') + many(100_000, '</sec>') }), 'paper-too-complex', /nested deeper/],
  ['100,000 divisions deep', 'tei', () => tei(many(100_000, '<div>') + many(100_000, '</div>')), 'paper-too-complex', /nested deeper/],
  ['100,000 boxes deep', 'html', () => html(many(100_000, '<div>')), 'paper-too-complex', /nested deeper/],
  ['of tables in cells', 'html', () => html(many(30_000, '<table><tr><td>')), 'paper-too-complex', /nested deeper/],
  ['of crossed formatting', 'html', () => html(Array.from({ length: 5_000 }, (_, i) => `<b id=${i}><p>`).join('')), 'paper-too-complex', /nested deeper/],
  ['of 400,000 paragraphs', 'jats', () => jats({ body: many(400_000, '<p/>') }), 'paper-too-complex', /more than 300000/],
  ['of 400,000 paragraphs', 'html', () => html(many(400_000, '<p>')), 'paper-too-complex', /more than 300000/],
  ['of one line of 10 MB', 'jats', () => p(many(1_000_000, 'ten bytes ')), 'paper-too-complex', /characters of text/],
  ['of a million unknown entities', 'jats', () => p(many(1_000_000, '&zork;')), 'paper-too-complex', /characters of text/],
  ['of a million broken characters', 'jats', () => p(many(1_000_000, '&#0;')), 'paper-damaged', /malformed character/],
  ['of another root', 'jats', () => '<pmc-articleset><none/></pmc-articleset>', 'not-a-paper', /no <article>/],
  ['of a page without a paper', 'html', () => '<html><p>ltx_document', 'not-a-paper', /ltx_document/]
]
for (const [what, format, content, kind, message] of refused) {
  t.test(`${format} ${what} is ${kind}`, async t => {
    await t.rejects(documentOf(format, content()), { kind, message })
  })
}

t.test('what is large but within bounds takes no more time than its size asks for', async t => {
  const large: Array<[PaperFormat, string]> = [
    ['jats', p(many(300_000, '&#x41;&alpha;'))],
    ['jats', p(`a(${many(2_000_000, ' \n')})b`)],
    ['jats', p(many(100_000, '&a;'), `<!DOCTYPE article [<!ENTITY a "${many(100_000, 'a')}">]>`)],
    ['jats', jats({ body: `<table-wrap><table>${many(5_000, '<tr><td colspan="99999" rowspan="99999">a</td></tr>')}</table></table-wrap>` })],
    ['jats', jats({ back: `<ref-list><ref><mixed-citation>${many(100_000, '10.1000/')}</mixed-citation></ref></ref-list>` })],
    ['html', html(`<p class="ltx_p">${many(20_000, '<span class="ltx_equation">x</span>')}</p>`)]
  ]
  const cpu = process.cpuUsage()
  for (const [format, content] of large) await documentOf(format, content)
  const { user, system } = process.cpuUsage(cpu)
  t.ok((user + system) / 1e6 < 10, 'seconds of CPU for all six; each would take minutes if it grew with the square')
})

t.test('nothing outside the file is asked for', async t => {
  const asked: Array<string | undefined> = []
  const server = createServer((request, response) => { asked.push(request.url); response.end('<!ENTITY x "y">') })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await documentOf('jats', p('<graphic xlink:href="x"/>', `<?xml-stylesheet href="${url}1"?><!DOCTYPE article PUBLIC "x" "${url}2" [<!ENTITY % p SYSTEM "${url}3"> %p; <!ENTITY e SYSTEM "${url}4">]>`))
  const { figures } = await documentOf('html', html(`<link rel="stylesheet" href="${url}5"><figure class="ltx_figure"><img src="${url}6"><img src="file:///etc/passwd"><figcaption><span class="ltx_tag">Figure 1: </span>A</figcaption></figure><iframe src="${url}7"></iframe>`))
  t.match(figures, [{ label: 'Figure 1', imageId: null, width: 0, height: 0 }])
  await new Promise(resolve => setImmediate(resolve))
  t.same(asked, [])
})
