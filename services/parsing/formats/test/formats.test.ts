import t from 'tap'
import { encodePng } from '../../engine/png.ts'
import { documentOf, html, jats, read, tei } from './fixtures/read.ts'

const titled = (title: string, inner: string, attributes = '') => `<sec ${attributes}><title>${title}</title>${inner}</sec>`

t.test('JATS', async t => {
  t.test('front: authors with their places, the abstract with its parts, what is left out is told', async t => {
    const { title, authors, abstract, footnotes, warnings, language } = await documentOf('jats', jats({
      front: `<contrib-group>
        <contrib contrib-type="author"><name><surname>Lee</surname><given-names>Ann B.</given-names></name><xref ref-type="aff" rid="a1 a2"/></contrib>
        <contrib contrib-type="author"><name name-style="eastern"><surname>김</surname><given-names>철수</given-names></name><aff>Other Place</aff></contrib>
        <contrib contrib-type="author"><collab>The Team<contrib-group><contrib><name><surname>Nobody</surname></name></contrib></contrib-group></collab></contrib>
        <contrib contrib-type="editor"><name><surname>Editor</surname></name></contrib></contrib-group>
        <aff id="a1"><label>1</label><institution>One University</institution>, <country>UK</country></aff>
        <aff id="a2"><institution-wrap><institution-id>grid.1</institution-id><institution>Two Institute</institution></institution-wrap><country>KR</country></aff>
        <abstract abstract-type="teaser"><p>Tease.</p></abstract>
        <abstract><title>Abstract</title><sec><title>Background</title><p>It was open.</p></sec><sec><title>Results.</title><p>It is <italic>shut</italic>.</p></sec></abstract>`,
      after: '<sub-article article-type="decision-letter"><front-stub/><body><p>Review.</p></body></sub-article>'
    }))
    t.match({ title, language }, { title: 'A title', language: 'en' })
    t.same(authors, [
      { name: 'Ann B. Lee', affiliations: ['One University, UK', 'Two Institute, KR'] },
      { name: '김 철수', affiliations: ['Other Place'] },
      { name: 'The Team' }
    ])
    t.same(abstract, {
      text: 'Background: It was open. Results: It is shut.',
      page: 1,
      parts: [{ label: 'Background', text: 'It was open.' }, { label: 'Results', text: 'It is shut.' }]
    })
    t.same(warnings.map(({ code }) => code).sort(), ['abstract-left-out', 'sub-articles-left-out'])
    t.same(footnotes, [])
  })

  t.test('body: levels, numbers, kinds, lists, boxes, notes and formulas, in order', async t => {
    const { sections, equations, footnotes } = await documentOf('jats', jats({
      body: `<p>Before any heading.</p>${titled('1. Introduction', '<p>First<fn id="n"><p>A note.</p></fn> text.</p>')}
        <sec sec-type="methods"><label>2</label><title>What we did</title>
          <p>We set <disp-formula id="e1"><label>(1)</label><alternatives><mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mrow><mml:mi>b</mml:mi><mml:mo>+</mml:mo><mml:mn>1</mml:mn></mml:mrow></mml:mfrac></mml:math><tex-math>\\frac{a}{b+1}</tex-math></alternatives></disp-formula> where 10<sup>-3</sup> H<sub>2</sub>O<sup><xref ref-type="bibr" rid="b1">7</xref></sup>.</p>
          ${titled('Inside', '<list><list-item><label>(a)</label><p>One.</p></list-item><list-item><p>Two.</p><p>Three.</p></list-item></list><boxed-text><title>Box</title><p>Boxed.</p></boxed-text>')}</sec>
        <sec><p>Goes on.</p></sec>`,
      back: `<ack><p>We thank.</p></ack><fn-group><fn><p><bold>Author contributions.</bold> A did it.</p></fn><fn><p>A plain note.</p></fn></fn-group>
        <app-group><app><label>Appendix A</label><title>More</title><p>Added.</p></app></app-group>`
    }))
    t.same(sections.map(({ number, title, level, kind, runIn }) => [number, title, level, kind, runIn]), [
      ['', '', 1, 'introduction', false], ['1', 'Introduction', 1, 'introduction', false], ['2', 'What we did', 1, 'methods', false],
      ['', 'Inside', 2, 'other', false], ['', 'Acknowledgements', 1, 'acknowledgements', false],
      ['', 'Author contributions', 1, 'other', true], ['A', 'More', 1, 'other', false]
    ])
    t.same(sections.map(({ parentId }) => parentId), [null, null, null, 's3', null, null, null])
    t.same(sections.map(({ paragraphs }) => paragraphs.map(({ text }) => text)), [
      ['Before any heading.'], ['First text.'], ['We set a/(b + 1) (1) where 10⁻³ H2O7.'],
      ['(a) One.', 'Two.', 'Three.', 'Box', 'Boxed.', 'Goes on.'], ['We thank.'], ['A did it.'], ['Added.']
    ])
    t.match(equations, [{ id: 'e1', number: '1', text: 'a/(b + 1)', page: 1, box: [0, 0, 0, 0] }])
    t.same(footnotes.map(({ text }) => text), ['A note.', 'A plain note.'])
  })

  t.test('floats: home by mention, in a paragraph or in a group of their own; cells keep their columns', async t => {
    const { figures, tables, footnotes, warnings } = await documentOf('jats', jats({
      body: `${titled('Methods', `<p>Text.<fig id="f1"><label>Figure 1.</label><caption><title>A curve</title><p>Rising.</p></caption><graphic xlink:href="f1.jpg"/></fig></p>
          <fig-group><fig id="f2"><label>Fig. 2</label><caption><p>Two.</p></caption></fig></fig-group>`)}
        ${titled('Results', '<p>See <xref ref-type="fig" rid="f1">there</xref> and Figures 2 and 3; <xref ref-type="table" rid="t1">the cells</xref>.</p>')}`,
      after: `<floats-group><fig id="f3"><label>Figure 3—figure supplement 2</label><caption><p>Three.</p></caption></fig>
        <table-wrap id="t1"><label>Table 1</label><caption><p>Cells.</p></caption><table><thead><tr><th rowspan="2">A</th><th colspan="2">B</th></tr><tr><th>b1</th><th>b2</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table><table-wrap-foot><fn><p>A note of the table.</p></fn></table-wrap-foot></table-wrap></floats-group>`
    }))
    t.match(figures, [
      { id: 'f1', label: 'Figure 1', caption: 'A curve. Rising.', imageId: null, sectionId: 's2', placedBy: 'mention', mentions: [{ sectionId: 's2', paragraphId: 's2p1' }] },
      { id: 'f2', label: 'Fig. 2', caption: 'Two.', sectionId: 's2', placedBy: 'mention' },
      { id: 'f3', label: 'Figure 3—figure supplement 2', sectionId: null, placedBy: 'position', mentions: [] }
    ])
    t.match(tables, [{ label: 'Table 1', caption: 'Cells.', sectionId: 's2', rows: [['A', 'B', ''], ['', 'b1', 'b2'], ['1', '2', '3']] }])
    t.same(footnotes.map(({ text }) => text), ['A note of the table.'])
    t.match(warnings, [{ code: 'figures-without-picture', detail: /3 figures.*Figure 1, Fig\. 2/ }])
  })

  t.test('references: all three kinds of citation give text, title, authors, year and DOI', async t => {
    const { references, sections } = await documentOf('jats', jats({
      back: `<ref-list><title>Literature</title>
        <ref id="b1"><label>1.</label><mixed-citation><person-group person-group-type="author"><name><surname>Lee</surname><given-names>A</given-names></name></person-group>. <article-title>On 1999</article-title>. <source>J. Test</source> <year>2020</year>;<volume>1</volume>. <pub-id pub-id-type="doi">10.1000/abc</pub-id><pub-id pub-id-type="pmid">123</pub-id></mixed-citation></ref>
        <ref id="b2"><element-citation><person-group person-group-type="author"><name><surname>Kim</surname><given-names>B</given-names></name><etal/></person-group><year>2019</year><article-title>Of things</article-title><source>Things</source><volume>2</volume><issue>3</issue><fpage>4</fpage><lpage>9</lpage></element-citation></ref>
        <ref id="b3"><nlm-citation>Plain words, 2001.</nlm-citation></ref></ref-list>`
    }))
    t.match(sections, [{ title: 'Literature', kind: 'references', paragraphs: [] }])
    t.same(references, [
      { id: 'r1', label: '1', text: 'Lee A. On 1999. J. Test 2020;1. 10.1000/abc', title: 'On 1999', authors: ['A Lee'], year: 2020, doi: '10.1000/abc' },
      { id: 'r2', label: '', text: 'Kim B et al. Of things. Things 2019 2(3):4\u20139.', title: 'Of things', authors: ['B Kim'], year: 2019 },
      { id: 'r3', label: '', text: 'Plain words, 2001.', year: 2001 }
    ])
  })

  t.test('the older XML of BMC is read alike', async t => {
    const document = await documentOf('jats', `<art><ui>1</ui><fm><bibl><title><p>A <it>title</it></p></title><aug><au id="A1"><snm>Lee</snm><mi>B</mi><fnm>Ann</fnm><insr iid="I1"/></au></aug><insg><ins id="I1"><p>One Place</p></ins></insg></bibl>
      <abs><sec><st><p>Abstract</p></st><sec><st><p>Background</p></st><p>Open.</p></sec></sec></abs></fm>
      <bdy><sec><st><p>Results</p></st><p>As in <figr fid="F1">the picture</figr> <abbrgrp><abbr bid="B1">1</abbr><abbr bid="B2">2</abbr></abbrgrp>.</p><fig id="F1"><title><p>Figure 1</p></title><caption><p>A map</p></caption><text><p><b>A map.</b> Of it.</p></text><graphic file="x"/></fig></sec></bdy>
      <bm><ack><sec><st><p>Acknowledgements</p></st><p>Thanks.</p></sec></ack><refgrp><bibl id="B1"><title><p>On it</p></title><aug><au><snm>Kim</snm><fnm>C</fnm></au></aug><source>J</source><pubdate>2003</pubdate><volume>5</volume><xrefbib><pubid idtype="doi">10.1000/xy</pubid></xrefbib></bibl></refgrp></bm></art>`)
    t.match(document, {
      title: 'A title',
      authors: [{ name: 'Ann B Lee', affiliations: ['One Place'] }],
      abstract: { text: 'Background: Open.' },
      sections: [{ title: 'Results', paragraphs: [{ text: 'As in the picture [1,2].' }] }, { kind: 'acknowledgements' }, { kind: 'references' }],
      figures: [{ label: 'Figure 1', caption: 'A map. Of it.', placedBy: 'mention' }],
      references: [{ title: 'On it', authors: ['C Kim'], year: 2003, doi: '10.1000/xy' }]
    })
  })
})

t.test('TEI', async t => {
  const body = `<div><head n="1" coords="1,50,90,80,10">Introduction</head><p coords="1,50,100,200,10;1,50,112,200,10;2,50,60,200,10">See <ref type="figure" target="#fig_0">it</ref> <ref type="bibr" target="#b0">[1]</ref>.</p></div>
    <div><p>It goes on.</p></div><div><head n="1.1">Details</head><formula coords="2,60,90,100,12">a = b<label>(3)</label></formula></div>
    <figure xml:id="fig_0" coords="2,50,300,200,20"><head>Fig. 1 .</head><label>1</label><figDesc>Fig. 1. A curve.</figDesc><graphic coords="2,50,200,200,90" type="bitmap"/></figure>
    <figure type="table" xml:id="tab_0"><head></head><label>2</label><figDesc>Cells.</figDesc><table><row><cell>a</cell><cell cols="2">b</cell></row></table></figure><figure><head></head><label></label><figDesc></figDesc></figure>
    <note place="foot" n="1">A note.</note>`
  const header = '<sourceDesc><biblStruct><analytic><author><persName><forename type="first">Ann</forename><surname>Lee</surname></persName><affiliation key="a"><orgName type="department">Dept</orgName><orgName type="institution">One</orgName><address><country>UK</country></address></affiliation></author></analytic></biblStruct></sourceDesc>'
  const back = '<div type="acknowledgement"><div><p>Thanks.</p></div></div><div type="references"><listBibl><biblStruct xml:id="b0"><analytic><title level="a">On it</title><author><persName><forename>C</forename><surname>Kim</surname></persName></author><idno type="DOI">10.1000/xy</idno></analytic><monogr><title level="j">J</title><imprint><biblScope unit="volume">5</biblScope><biblScope unit="page" from="1" to="9"/><date type="published" when="2003-05"/></imprint></monogr></biblStruct></listBibl></div>'
  const facsimile = '<facsimile><surface n="1" ulx="0.0" uly="0.0" lrx="595.3" lry="841.9"/><surface n="2" ulx="0.0" uly="0.0" lrx="595.3" lry="841.9"/></facsimile>'

  t.test('with page sizes, coordinates are places', async t => {
    const document = await documentOf('tei', tei(body, { header, back, facsimile }))
    t.match(document, {
      pages: [{ number: 1, width: 595.3, height: 841.9 }, { number: 2 }],
      authors: [{ name: 'Ann Lee', affiliations: ['Dept, One, UK'] }],
      sections: [
        { number: '1', title: 'Introduction', level: 1, page: 1, box: [50, 90, 130, 100] },
        { number: '1.1', title: 'Details', level: 2, parentId: 's1', page: 2 },
        { title: 'Acknowledgements', kind: 'acknowledgements', paragraphs: [{ text: 'Thanks.' }] }, { title: 'References', kind: 'references' }
      ],
      figures: [{ label: 'Fig. 1', caption: 'A curve.', page: 2, box: [50, 200, 250, 290], captionBox: [50, 300, 250, 320], placedBy: 'mention' }],
      tables: [{ label: 'Table 2', caption: 'Cells.', rows: [['a', 'b', '']] }],
      equations: [{ number: '3', text: 'a = b', page: 2, box: [60, 90, 160, 102] }],
      references: [{ label: '1', title: 'On it', authors: ['C Kim'], year: 2003, doi: '10.1000/xy', text: 'C Kim. On it. J 2003-05 5:1–9.' }],
      footnotes: [{ text: 'A note.' }]
    })
    t.match(document.sections[0]?.paragraphs, [
      { text: 'See it [1].', page: 1, box: [50, 100, 250, 122], continues: [{ page: 2, box: [50, 60, 250, 70] }] },
      { text: 'It goes on.', page: 2, box: [0, 0, 0, 0] }
    ])
  })

  t.test('without page sizes all of it is on page 1, nowhere', async t => {
    const { pages, sections, figures } = await documentOf('tei', tei(body))
    t.same(pages, [])
    const nowhere = { page: 1, box: [0, 0, 0, 0] }
    t.match([sections[0], sections[0]?.paragraphs[0], figures[0]], [nowhere, nowhere, nowhere])
  })
})

t.test('HTML of LaTeXML', async t => {
  const png = encodePng({ width: 2, height: 3, data: new Uint8Array(18).fill(200) })
  const math = (tex: string, inner: string) =>
    `<math alttext="${tex}"><semantics><mrow>${inner}</mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`
  const { document, images } = await read('html', html(`<div class="ltx_authors"><span class="ltx_creator ltx_role_author"><span class="ltx_personname">Ann Lee<sup>1</sup></span><span class="ltx_contact ltx_role_affiliation">One University</span></span></div>
    <div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6><p class="ltx_p">We do it.</p></div>
    <section id="S1" class="ltx_section"><h2 class="ltx_title ltx_title_section"><span class="ltx_tag ltx_tag_section">1 </span>Model</h2>
      <div class="ltx_para"><p class="ltx_p">With <a href="#S1.F1" class="ltx_ref">it</a><span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>A note.</span></span></span> we set</p>
        <table id="S1.E1" class="ltx_equation ltx_eqn_table"><tbody><tr class="ltx_equation ltx_eqn_row"><td class="ltx_eqn_cell">${math('x^{2}', '<msup><mi>x</mi><mn>2</mn></msup>')}</td><td class="ltx_eqn_cell ltx_eqn_eqno"><span class="ltx_tag ltx_tag_equation">(1)</span></td></tr></tbody></table><p class="ltx_p">where <span class="ltx_ERROR undefined">\\foo</span>so.</p></div>
      <figure id="S1.F1" class="ltx_figure"><div class="ltx_flex_figure"><figure id="S1.F1.sf1" class="ltx_figure ltx_figure_panel"><img src="data:image/png;base64,${Buffer.from(png).toString('base64')}"><figcaption class="ltx_caption"><span class="ltx_tag">(a) </span>One</figcaption></figure></div><figcaption class="ltx_caption"><span class="ltx_tag ltx_tag_figure">Figure 1: </span>A picture.</figcaption></figure>
      <figure id="S1.T1" class="ltx_table"><figcaption class="ltx_caption"><span class="ltx_tag ltx_tag_table">Table 1: </span>Cells.</figcaption><span class="ltx_tabular"><span class="ltx_tr"><span class="ltx_td ltx_colspan_2 ltx_colspan">a</span><span class="ltx_td">b</span></span></span></figure>
      <section class="ltx_paragraph"><h4 class="ltx_title ltx_title_paragraph">Encoder.</h4><div class="ltx_para"><p class="ltx_p">It encodes.</p></div></section>
      <div class="ltx_theorem"><h6 class="ltx_title ltx_runin ltx_title_theorem"><span class="ltx_tag">Theorem 1</span>.</h6><div class="ltx_para"><p class="ltx_p">It holds.</p></div></div></section>
    <section class="ltx_bibliography"><h2 class="ltx_title ltx_title_bibliography">References</h2><ul class="ltx_biblist"><li class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">[1]</span><span class="ltx_bibblock">C. Kim and D. Ko.</span><span class="ltx_bibblock">On it.</span><span class="ltx_bibblock">J, 2003.</span></li></ul></section>
    <section class="ltx_appendix"><h2 class="ltx_title"><span class="ltx_tag ltx_tag_appendix">Appendix A </span>Proofs</h2></section>`))
  t.match(document, {
    title: 'A title',
    authors: [{ name: 'Ann Lee', affiliations: ['One University'] }],
    abstract: { text: 'We do it.' },
    sections: [
      { number: '1', title: 'Model', level: 1, runIn: false }, { title: 'Encoder', level: 2, runIn: true }, { title: 'References' },
      { number: 'A', title: 'Proofs', kind: 'appendix' }
    ],
    figures: [{ label: 'Figure 1', caption: 'A picture.', width: 2, height: 3, placedBy: 'mention', imageId: images[0]?.id }],
    tables: [{ label: 'Table 1', caption: 'Cells.', rows: [['a', '', 'b']] }],
    equations: [{ number: '1', text: 'x^{2}' }],
    references: [{ label: '1', text: 'C. Kim and D. Ko. On it. J, 2003.', title: 'On it', authors: ['C. Kim', 'D. Ko'], year: 2003 }],
    footnotes: [{ text: 'A note.' }],
    warnings: [{ code: 'latexml-errors' }]
  })
  t.same(document.sections.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text)),
    ['With it we set x² (1) where so.', 'It encodes.', 'Theorem 1. It holds.'])
})
