import t from 'tap'
import { Problem } from '../../../../shared/errors/problem.ts'
import { assembleOutline } from '../assemble-outline.ts'
import { readLatex } from '../latex/read-latex.ts'
import { makeZip } from '../../../../shared/testing/zip-writer.ts'

const paperId = 'pap_0123456789abcdef0123456789abcdef'
const parser = { engine: 'latex', version: '1' }

async function read (files: Record<string, string>) {
  const entries = Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) }))
  const { outline } = await readLatex(makeZip(entries))
  return assembleOutline(outline, { paperId, parser })
}

const body = async (text: string, preamble = '') =>
  await read({ 'main.tex': `\\documentclass{article}${preamble}\\begin{document}${text}\\end{document}` })

const textsOf = ({ sections }: Awaited<ReturnType<typeof read>>) =>
  sections.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text))

async function problemOf (work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'read'
  } catch (cause) {
    return cause instanceof Problem ? cause.kind : String(cause)
  }
}

t.test('text is read as it is printed', async t => {
  const [text] = textsOf(await body(String.raw`Erd\H{o}s, na\"{\i}ve, \c{C}a, \'e, \o, \ss, \AA{}: 50\,\% of ${'``'}all''
    things---1--2. % a comment
    $p<0.05$, $10^{-3}$, $\alpha_1$, $\frac{a}{b}$, \verb|\section{no}|, \emph{this} \textcolor{red}{that} \vspace{1cm}end.`))
  t.equal(text, 'Erdős, naïve, Ça, é, ø, ß, Å: 50 % of “all” things—1–2. p < 0.05, 10⁻³, α₁, $\\frac{a}{b}$, \\section{no}, this that end.')
  const macros = String.raw`\newcommand{\norm}[2][2]{|#2|_#1}\def\pair#1,#2.{(#1; #2)}\newif\ifdraft\newcommand{\us}{we\xspace}\let\them\us`
  const [expanded] = textsOf(await body(String.raw`\norm{x} \norm[1]{y} \pair a,b. \ifdraft no\else yes\fi{} \drafttrue\ifdraft seen\fi \iffalse gone \iftrue too\fi\fi{} \us are, \them.`, macros))
  t.equal(expanded, '|x|_2 |y|_1 (a; b) yes seen we are, we.')
  const lists = textsOf(await body(String.raw`\begin{itemize}\item a \item b\begin{enumerate}\item c\end{enumerate}\end{itemize}\begin{comment}\section{x}\end{comment}`))
  t.same(lists, ['• a', '• b', '1. c'])
})

t.test('sections, numbers and references are those that LaTeX prints', async t => {
  const document = await body(String.raw`\section{One}\label{s}\subsection{Two}See \ref{u}, \autoref{f}, \cref{f,g} and \eqref{e}.
    \subsection*{Three}\paragraph{Run in.} Text.\section{Four}\label{u}
    \begin{align}a&=b\label{e}\\c&=d\nonumber\end{align}
    \begin{figure}\includegraphics{a}\caption{First}\label{f}\end{figure}
    \begin{figure*}\caption{Second: \textbf{x}}\label{g}\includegraphics{b}\end{figure*}
    \begin{thm}[Main]\label{t}Well.\end{thm} By \ref{t}. \appendix\section{Proofs}`, String.raw`\newtheorem{thm}{Theorem}[section]`)
  t.same(document.sections.map(({ number, title, level, kind, runIn }) =>
    [number, title, level, kind, runIn]), [
    ['1', 'One', 1, 'other', false], ['1.1', 'Two', 2, 'other', false], ['', 'Three', 2, 'other', false],
    ['', 'Run in.', 3, 'other', true], ['2', 'Four', 1, 'other', false], ['A', 'Proofs', 1, 'appendix', false]
  ])
  t.equal(document.sections[1]!.paragraphs[0]!.text, 'See 2, Figure 1, Figures 1 and 2 and (1).')
  t.same(document.figures.map(({ label, caption, sectionId, placedBy }) =>
    [label, caption, sectionId, placedBy]),
  [['Figure 1', 'First', 's2', 'mention'], ['Figure 2', 'Second: x', 's2', 'mention']])
  t.same(document.equations.map(({ number, text }) => [number, text]), [['1', 'a=b'], ['', 'c=d']])
  t.match(textsOf(document).join(' '), /Theorem 2\.1 \(Main\)\. Well\. By 2\.1\./u)
  const ieee = await read({ 'main.tex': String.raw`\documentclass{IEEEtran}\begin{document}\section{One}\subsection{Two}\label{x}See \ref{x}.\begin{table}\caption{T}\end{table}\end{document}` })
  t.same(ieee.sections.map(({ number }) => number), ['I', 'A'])
  t.equal(textsOf(ieee)[0], 'See I-A.')
  t.equal(ieee.tables[0]!.label, 'Table I')
})

t.test('tables keep their cells', async t => {
  const { tables } = await body(String.raw`\begin{table}\caption{A}\begin{tabular}{@{}l|cc@{}}\toprule Name & \multicolumn{2}{c}{Values}\\ \cmidrule(lr){2-3} & \begin{tabular}{c}A\\B\end{tabular} & $x^2$ \\[2pt] \multirow{2}{*}{x} & 1 & \\ \hline & 2 & \makecell{3\\4}\\ \bottomrule\end{tabular}\end{table}
    \begin{longtable}{ll}\caption{B}\\ H & I\\ \endfirsthead H & I\\ \endhead 1 & 2\\ \end{longtable}`)
  t.same(tables.map(({ label, caption, rows }) => ({ label, caption, rows })), [
    { label: 'Table 1', caption: 'A', rows: [['Name', 'Values', ''], ['', 'A B', 'x²'], ['x', '1', ''], ['', '2', '3 4']] },
    { label: 'Table 2', caption: 'B', rows: [['H', 'I'], ['1', '2']] }
  ])
})

t.test('authors have their affiliations in the common classes', async t => {
  const front = async (text: string, name = 'article') => (await read({ 'main.tex': `\\documentclass{${name}}\\begin{document}${text}\\maketitle x\\end{document}` })).authors
  const two = [{ name: 'Ada Lovelace', affiliations: ['A College'] }, { name: 'Łukasz Kaiser', affiliations: ['B Lab'] }]
  t.same(await front(String.raw`\author{Ada Lovelace\thanks{x}\\A College\\\texttt{a@b.c} \and {\L}ukasz Kaiser\\B Lab}`), two, 'article')
  t.same(await front(String.raw`\author{Ada Lovelace\inst{1} \and \L ukasz Kaiser\inst{2}}\institute{A College\\ \email{x@y.z} \and B Lab}`, 'llncs'), two, 'llncs')
  t.same(await front(String.raw`\author{Ada Lovelace}\affiliation{A College}\author{{\L}ukasz Kaiser}\affiliation{B Lab}`, 'revtex4-2'), two, 'revtex')
  t.same(await front(String.raw`\author[1]{Ada Lovelace}\author[2]{{\L}ukasz Kaiser}\affil[1]{A College}\affil[2]{B Lab}`), two, 'authblk')
  t.same(await front(String.raw`\author[a]{Ada Lovelace\corref{c}}\ead{a@b.c}\author[b]{{\L}ukasz Kaiser}\affiliation[a]{organization={A College}}\affiliation[b]{organization={B Lab}}`, 'elsarticle'), two, 'elsarticle')
  t.same(await front(String.raw`\author{Ada Lovelace}\email{a@b.c}\affiliation{\institution{A College}}\author{{\L}ukasz Kaiser}\affiliation{\institution{B Lab}}`, 'acmart'), two, 'acmart')
  t.same(await front(String.raw`\author{\IEEEauthorblockN{Ada Lovelace}\IEEEauthorblockA{A College\\a@b.c}\and\IEEEauthorblockN{{\L}ukasz Kaiser}\IEEEauthorblockA{B Lab}}`, 'IEEEtran'), two, 'IEEEtran')
  t.same(await front(String.raw`\author{Ada Lovelace$^{1}$, {\L}ukasz Kaiser$^2$\\ $^1$A College\\ $^2$B Lab}`), two, 'raised numbers')
})

t.test('citations lead to the reference list', async t => {
  const main = String.raw`\documentclass{article}\usepackage{natbib}\begin{document}\citet{knuth} and \citep[p.~3]{knuth}.\bibliographystyle{plainnat}\bibliography{refs}\end{document}`
  const bib = String.raw`@string{acm = "ACM"} @book{knuth, author = {Knuth, Donald E. and Plass, Michael}, title = "The {Art} of \'Ecole", publisher = acm # " Inc", year = 1968, doi = {10.1000/ab}} @misc{unused, title={No}}`
  const named = await read({ 'main.tex': main, 'refs.bib': bib })
  t.equal(textsOf(named)[0], 'Knuth and Plass (1968) and (Knuth and Plass, 1968, p. 3).')
  t.same(named.references, [{ id: 'r1', label: '', text: 'Donald E. Knuth, Michael Plass. The Art of École. ACM Inc, 1968. doi:10.1000/ab.', title: 'The Art of École', authors: ['Donald E. Knuth', 'Michael Plass'], year: 1968, doi: '10.1000/ab' }])
  const bbl = String.raw`\begin{thebibliography}{9}\bibitem{a} A. One. \newblock First title. \newblock {\em J.}, 1999. \bibitem{knuth} D. Knuth. \newblock Second. \newblock 1968.\end{thebibliography}`
  const numbered = await read({ 'main.tex': main.replace('{natbib}', '{cite}').replace('citet', 'cite').replace('citep', 'cite'), 'main.bbl': bbl })
  t.equal(textsOf(numbered)[0], '[2] and [2, p. 3].')
  t.same(numbered.references.map(({ label, title, year }) => [label, title, year]), [['1', 'First title', 1999], ['2', 'Second', 1968]])
  t.equal(numbered.sections.at(-1)!.kind, 'references')
})

t.test('files are those of the archive and no others', async t => {
  const main = (text: string) => `\\documentclass{article}\\begin{document}${text}\\end{document}`
  const joined = await read({ 'a/main.tex': main('\\input{b}\\include{sub/c}'), 'a/B.tex': 'from b ', 'a/sub/c.tex': '\\documentclass{x}\\begin{document}from c\\end{document}', 'other.tex': 'x' })
  t.equal(textsOf(joined).join(' '), 'from b from c')
  for (const name of ['/etc/passwd', '../../../../etc/passwd', 'C:\\x', '|cat /etc/passwd', 'main', 'none']) {
    const { warnings, sections } = await read({ 'main.tex': main(`before \\input{${name}} after`) })
    t.equal(sections[0]!.paragraphs[0]!.text, 'before after', name)
    t.equal(warnings.filter(({ code }) => code === 'latex-input-missing').length, 1, name)
  }
  const commands = await body('a \\immediate\\write18{rm -rf /} \\openin5=/etc/passwd \\read5 to\\x b')
  t.notMatch(textsOf(commands).join(' '), /rm -rf/u)
  t.equal(await problemOf(read({ 'a.txt': 'no LaTeX' })), 'not-a-paper')
})

t.test('hostile sources end soon', async t => {
  const cases: Array<[name: string, text: string, outcome: string]> = [
    ['a macro that calls itself', '\\def\\a{\\a}\\a', 'paper-too-complex'],
    ['one that doubles', '\\def\\a{\\a\\a}\\a', 'paper-too-complex'],
    ['one that grows its argument', '\\def\\a#1{\\a{#1#1}}\\a{x}', 'paper-too-complex'],
    ['a chain that grows', Array.from({ length: 30 }, (_, i) => `\\def\\${'x'.repeat(i + 1)}{\\${'x'.repeat(i + 2)}\\${'x'.repeat(i + 2)}}`).join('') + '\\x', 'paper-too-complex'],
    ['two that call each other', '\\let\\b\\a\\def\\a{\\b}\\def\\b{\\a}\\a', 'paper-too-complex'],
    ['an environment in itself', '\\newenvironment{e}{\\begin{e}}{}\\begin{e}', 'paper-too-complex'],
    ['open braces', '{'.repeat(200_000), 'read'],
    ['arguments in arguments', '\\textbf{\\footnote{'.repeat(5_000), 'read'],
    ['open environments', '\\begin{figure}'.repeat(20_000), 'read'],
    ['open formulas', '$'.repeat(100_001), 'read'],
    ['open brackets', '\\item['.repeat(3_000), 'paper-too-complex'],
    ['one long line', 'word '.repeat(400_000), 'read'],
    ['commas in a name', `\\author{${', '.repeat(50_000)}}`, 'read'],
    ['conditions', '\\iffalse'.repeat(50_000), 'read'],
    ['no characters', '\u0000\u202E\uFFFE\uE000nE001\uE002', 'read']
  ]
  for (const [name, text, outcome] of cases) {
    const start = performance.now()
    t.equal(await problemOf(body(text)), outcome, name)
    const ms = performance.now() - start
    t.ok(ms < 15_000, `${name}: ${Math.round(ms)} ms`)
  }
})

t.test('the same source gives the same outline, well-formed', async t => {
  const text = 'cafe\u0301 \uFB01ne \u{1F600} \uD83D\uE000n\uE002'
  const [first, second] = [await body(text), await body(text)]
  t.same(first, second)
  t.equal(textsOf(first)[0], 'café fine \u{1F600} n', 'a lone surrogate and private characters are gone')
  const latin = await readLatex(Buffer.from('\\documentclass{article}\\usepackage[latin1]{inputenc}\\begin{document}caf\xE9\\end{document}', 'latin1'))
  t.equal(latin.outline.sections[0]!.paragraphs[0]!.text, 'café')
})
