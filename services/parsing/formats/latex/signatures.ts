/**
 * What commands take that mean nothing here, so that lengths, colours and names do not become text.
 * One letter an argument: `s` a star, `o` in brackets, `p` in parentheses, `d` dropped, `t` text that
 * stays, `l` a length of TeX's own kind, `c` one control sequence.
 */
const lists: Record<string, string> = {
  '': `noindent indent centering raggedright raggedleft maketitle newpage clearpage cleardoublepage bigskip medskip smallskip hfill vfill hfil vfil
    par break protect relax null strut tableofcontents listoffigures listoftables makeatother frontmatter mainmatter backmatter
    normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge bf it rm sc sf tt em sl bfseries itshape
    scshape ttfamily sffamily rmfamily mdseries upshape slshape boldmath unboldmath onecolumn sloppy fussy flushbottom raggedbottom
    allowbreak nolinebreak appendixpage makeindex printindex printglossary hline toprule midrule bottomrule endfirsthead ignorespaces
    unskip leavevmode begingroup endgroup bgroup egroup doublespacing singlespacing onehalfspacing balance displaybreak samepage
    IEEEpeerreviewmaketitle IEEEdisplaynontitleabstractindextext BIBentryALTinterwordspacing BIBentrySTDinterwordspacing acknowledgementname
    BibitemOpen printacmref nobreak hss vss filbreak goodbreak newline nonumber notag qedhere itemsep immediate`,
  s: 'linebreak',
  so: 'pagebreak',
  sd: 'vspace hspace addvspace titleformat',
  d: `index glsadd bibliographystyle pagestyle thispagestyle pagenumbering color label phantom hphantom vphantom hypersetup includeonly
    cline date keywords keyword pacs preprint thanksref journal shorttitle shortauthors markright titlerunning authorrunning tocauthor
    toctitle urlstyle newcounter setlist captionsetup geometry usetikzlibrary pgfplotsset tikzset lstset allowdisplaybreaks
    received accepted revised published pubyear volume issue copyrightyear acmYear acmDOI acmISBN acmConference setcopyright acmJournal
    acmVolume acmNumber acmArticle acmMonth acmPrice acmSubmissionID ccsdesc subjclass urladdr dedicatory commby PACS doi issn
    sisetup newtoggle selectlanguage foreignlanguage RequirePackage bibpunct setcitestyle DeclareGraphicsExtensions nocite
    IEEEspecialpapernotice IEEEPARstartskip BibitemShut IEEEmembership eprintclass runninghead theoremstyle openout
    citestyle bibdata citenamefontstyle fontfamily fontseries fontshape ExplSyntaxOn JournalTitle corres corresp vol
    orcid orcidID ORCID orcidlink setmainfont setmainhangulfont setCJKmainfont hyphenation`,
  ld: 'write',
  od: 'usepackage documentclass documentstyle ProvidesPackage LoadClass PassOptionsToPackage printbibliography addbibresource',
  o: 'footnotemark bibliographyfootnote looseness IEEEtriggeratref tableofcontentsof printglossaries',
  dd: `setlength addtolength setcounter addtocounter markboth settowidth fontsize counterwithin definecolorset
    AtBeginEnvironment newcolumntype DeclareUnicodeCharacter floatstyle floatname newglossaryentry addtocontents hyphenchar
    theoremheaderfont crefrangeformat SetKwInOut SetKwInput SetKw renewbibmacro setbeamertemplate`,
  ddd: 'definecolor crefname Crefname addcontentsline colorlet newacronym Crefname SetKwProg SetKwFor newacro',
  odt: 'colorbox',
  oddt: 'fcolorbox',
  dt: 'scalebox hyperlink hypertarget texorpdfstring bibinfo bibfield bibnamedelima href numberline',
  odot: 'rotatebox',
  ddt: 'resizebox ',
  dot: 'raisebox',
  oodt: 'parbox',
  oot: 'makebox framebox',
  odd: 'rule',
  l: 'vskip hskip kern hsize vsize parskip parindent baselineskip tabcolsep textwidth textheight topmargin oddsidemargin columnsep abovedisplayskip belowdisplayskip arraycolsep belowcaptionskip abovecaptionskip linewidth columnwidth arrayrulewidth',
  t: `mbox hbox vbox emph textbf textit textrm textsf texttt textsc textsl textmd textup textnormal underline uline fbox ensuremath
    mathrm text enquote citenamefont bibnamefont bibfnamefont natexlab showarticletitle emphasis centerline uppercase
    lowercase MakeUppercase MakeLowercase thead boldsymbol bm so hl sout textquote uwave mathbf nolinkurl path lstinline code hyperpage
    BibitemText translation urlprefix noopsort smash rlap llap nohyphens acs ac acl acf gls Gls glspl acrshort
    acrlong acrfull acp`
}

/** By command. */
export const signatures = new Map(Object.entries(lists).flatMap(([signature, names]) =>
  names.trim().split(/\s+/u).map(name => [name, signature] as const)))

/** Arguments after `\begin{…}` that are not text. */
export const environmentSignatures = new Map(Object.entries({
  minipage: 'oood', multicols: 'sd', CJK: 'dd', 'CJK*': 'dd', list: 'dd', spacing: 'd', adjustbox: 'd', otherlanguage: 'd', adjustwidth: 'dd', textblock: 'd', tcolorbox: 'o', mdframed: 'o', enumerate: 'o', itemize: 'o', description: 'o', flushleft: '', thebibliography: 'd', subequations: 'o', algorithmic: 'o', algorithm: 'o', 'algorithm*': 'o', algorithm2e: 'o', small: '', landscape: '', IEEEbiography: 'od', IEEEbiographynophoto: 'd', biography: 'od', compactenum: 'o', compactitem: 'o', varwidth: 'od', threeparttable: 'o', tablenotes: 'o', frame: 'o', column: 'd', cases: '', titlepage: '', deluxetable: 'd', 'deluxetable*': 'd', conference: 'o'
}))
