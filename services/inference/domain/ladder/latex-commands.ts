/**
 * LaTeX commands that JSON takes for an escape: \nu is a line break and "u" to a parser. Names from
 * LaTeX, amsmath, amssymb and siunitx; the backslash is left out.
 */

const words = (list: string) => new Set(list.trim().split(/\s+/))

const known = words(`
  nu nabla ne neq neg not notin notag ni newline newpage nonumber nolimits normalsize normalfont
  nearrow nwarrow ngeq nleq nless ngtr nmid nsim ncong nexists nparallel nsubseteq nsupseteq nprec
  nsucc ntriangleleft ntriangleright natural newcommand noindent nicefrac num nobreak nrightarrow
  nleftarrow nleftrightarrow nsubset nvdash nVdash nRightarrow
  tau theta text textbf textit textrm textsf texttt textsc textnormal textsuperscript textsubscript
  textcolor textstyle textdegree textmu times to tan tanh top tilde tfrac tbinom thickapprox thicksim
  therefore triangle triangleq triangleleft triangleright triangledown tag tiny title today tabular
  tableofcontents thanks thinspace twoheadrightarrow tr tt textwidth trianglerighteq trianglelefteq
  rho right rightarrow rightleftharpoons rightharpoonup rightharpoondown rightsquigarrow rangle rm
  ref rceil rfloor rbrace rbrack rvert rVert rule raggedright relax renewcommand root rtimes
  rlap raisebox rotatebox restriction risingdotseq rightthreetimes rightrightarrows
  frac forall frown flat fbox footnote footnotesize fontsize frak fcolorbox framebox flushleft fallingdotseq
  beta bar big bigg bigl bigr biggl biggr bigcap bigcup bigoplus bigotimes bigwedge bigvee bigsqcup
  binom bf bfseries begin bullet because between bmod boldsymbol bm bot bowtie box boxed breve
  backslash backprime backsim barwedge beth bibitem blacksquare blacktriangle boxdot boxplus boxtimes
  bra braket biguplus bigstar bigcirc bigtriangleup bigtriangledown bumpeq
  upsilon underline underbrace underset uparrow updownarrow unit uplus upharpoonright upuparrows unlhd unrhd
  ulcorner urcorner usepackage underleftarrow underrightarrow uppercase
`)

/**
 * Commands that without their first letter are a word, an abbreviation or a variable, so that a line
 * or a column may begin with it: "\nu" may be a line that begins with u.
 */
const wordsAfterAll = words(`
  nu ne neq neg ni num nmid nsim nexists nparallel nless nprec natural not
  to tan top tag tr tt
  rm rule root
`)

/** Whether a command, and no escape followed by text, is certain, possible or impossible. */
export function commandAt (run: string): 'sure' | 'maybe' | 'no' {
  if (!known.has(run)) return 'no'
  return wordsAfterAll.has(run) ? 'maybe' : 'sure'
}

/** Names that are no English words: behind two backslashes they are a command escaped twice. */
const unmistakable = words(`
  alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda sigma omega varphi phi psi xi nu tau rho
  Gamma Delta Theta Lambda Sigma Omega frac dfrac tfrac sqrt sum int infty partial nabla cdot times leq geq neq
  approx sim rightarrow mathrm mathbf mathbb mathcal operatorname hbar langle rangle textbf textit
`)

export function isUnmistakable (run: string): boolean {
  return unmistakable.has(run)
}
