/** Characters that LaTeX spells as commands; in text, in formulas, and accents upon letters. */

function pairs (list: string): Map<string, string> {
  return new Map(list.trim().split(/\s+/u).map(entry => {
    const at = entry.indexOf('=')
    return [entry.slice(0, at), entry.slice(at + 1)] as const
  }))
}

/** Commands of text, by name. */
export const textSymbols = new Map([
  ...pairs(`
    %=% &=& _=_ #=# $=$ {={ }=} S=§ P=¶ dag=† ddag=‡ copyright=© pounds=£ ss=ß ae=æ AE=Æ oe=œ OE=Œ o=ø O=Ø
    l=ł L=Ł aa=å AA=Å i=ı j=ȷ dh=ð DH=Ð th=þ TH=Þ dj=đ DJ=Đ ng=ŋ NG=Ŋ ldots=… dots=… textellipsis=…
    textendash=– textemdash=— textquoteleft=‘ textquoteright=’ textquotedblleft=“ textquotedblright=”
    textbackslash=\\ textasciitilde=~ textasciicircum=^ textasciigrave=\` textless=< textgreater=> textbar=|
    textunderscore=_ textdollar=$ textpercent=% textbraceleft={ textbraceright=} textbullet=• textperiodcentered=·
    textregistered=® texttrademark=™ textcopyright=© textdegree=° degree=° textmu=µ micro=µ texttimes=×
    textpm=± textdiv=÷ textonehalf=½ textonequarter=¼ textthreequarters=¾ texteuro=€ euro=€ textsterling=£ textyen=¥
    textcent=¢ textparagraph=¶ textsection=§ textdagger=† textdaggerdbl=‡ textexclamdown=¡ textquestiondown=¿
    textquotesingle=' textquotedbl=" guillemotleft=« guillemotright=» guilsinglleft=‹ guilsinglright=› quotedblbase=„
    quotesinglbase=‚ textminus=− textrightarrow=→ textleftarrow=← textordfeminine=ª textordmasculine=º
    textasteriskcentered=* textvisiblespace=␣ celsius=°C ohm=Ω checkmark=✓ textalpha=α textbeta=β textgamma=γ lq=‘ rq=’
    cmark=✓ xmark=✗ LaTeX=LaTeX TeX=TeX LaTeXe=LaTeX2e BibTeX=BibTeX XeTeX=XeTeX slash=/ textsuperscript= Pisymbol=`),
  [' ', ' '], [',', ' '], [';', ' '], [':', ' '], ['quad', ' '], ['qquad', ' '], ['enspace', ' '], ['thinspace', ' '], ['nobreakspace', ' '], ['space', ' '], ['xspace', ''], ['/', ''], ['-', ''], ['!', ''], ['@', ''], ['*', ''], ['newblock', ' ']
])

/** Of formulas, as far as text can show them. */
export const mathSymbols = new Map([
  ...pairs(`
    alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ lambda=λ
    mu=μ nu=ν xi=ξ pi=π varpi=ϖ rho=ρ varrho=ϱ sigma=σ varsigma=ς tau=τ upsilon=υ phi=ϕ varphi=φ chi=χ psi=ψ omega=ω
    Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω ell=ℓ hbar=ℏ Re=ℜ Im=ℑ
    aleph=ℵ partial=∂ nabla=∇ infty=∞ emptyset=∅ varnothing=∅ forall=∀ exists=∃ neg=¬ lnot=¬ prime=′ angle=∠
    times=× cdot=· div=÷ pm=± mp=∓ ast=∗ star=⋆ circ=∘ bullet=• oplus=⊕ otimes=⊗ odot=⊙ wedge=∧ land=∧ vee=∨ lor=∨
    cap=∩ cup=∪ setminus=∖ leq=≤ le=≤ leqslant=≤ geq=≥ ge=≥ geqslant=≥ ll=≪ gg=≫ neq=≠ ne=≠ equiv=≡ approx=≈ sim=∼
    simeq=≃ cong=≅ propto=∝ lesssim=≲ gtrsim=≳ subset=⊂ subseteq=⊆ supset=⊃ supseteq=⊇ in=∈ notin=∉ ni=∋ mid=∣ parallel=∥
    perp=⊥ to=→ rightarrow=→ leftarrow=← longrightarrow=⟶ leftrightarrow=↔ Rightarrow=⇒ Leftarrow=⇐ implies=⇒
    Leftrightarrow=⇔ iff=⇔ mapsto=↦ uparrow=↑ downarrow=↓ langle=⟨ rangle=⟩ lvert=| rvert=| vert=| lVert=‖ rVert=‖ Vert=‖
    ldots=… dots=… cdots=⋯ colon=: degree=° dagger=† ddagger=‡ checkmark=✓ triangle=△ square=□ blacksquare=■ Box=□
    top=⊤ bot=⊥ vdash=⊢ models=⊨ sum=∑ prod=∏ int=∫ |=‖ {={ }=} %=% &=& #=# _=_ $=$ lbrace={ rbrace=} AA=Å
    log=log ln=ln exp=exp sin=sin cos=cos tan=tan min=min max=max lim=lim det=det dim=dim arg=arg gcd=gcd Pr=Pr deg=deg`),
  [',', ' '], [';', ' '], [':', ' '], ['>', ' '], [' ', ' '], ['quad', ' '], ['qquad', ' '], ['!', ''], ['limits', ''],
  ['displaystyle', ''], ['textstyle', ''], ['rm', ''], ['bf', ''], ['it', ''], ['left', ''], ['right', ''], ['big', ''], ['Big', '']
])

/** Commands of accents to combining marks. */
export const accents = new Map([
  ["'", '\u0301'], ['`', '\u0300'], ['"', '\u0308'], ['^', '\u0302'], ['~', '\u0303'], ['=', '\u0304'], ['.', '\u0307'],
  ['u', '\u0306'], ['v', '\u030C'], ['H', '\u030B'], ['c', '\u0327'], ['k', '\u0328'], ['r', '\u030A'], ['d', '\u0323'],
  ['b', '\u0331'], ['textcommabelow', '\u0326']
])

/** The mark goes after the first character; a dotless i under it is an i. */
export function accented (mark: string, text: string): string {
  const [base = '', ...rest] = Array.from(text)
  const letter = base === 'ı' ? 'i' : base === 'ȷ' ? 'j' : base
  return (letter === '' ? '' : letter + mark).normalize('NFC') + rest.join('')
}

const superscript = pairs('0=⁰ 1=¹ 2=² 3=³ 4=⁴ 5=⁵ 6=⁶ 7=⁷ 8=⁸ 9=⁹ +=⁺ -=⁻ −=⁻ (=⁽ )=⁾ n=ⁿ i=ⁱ ∘=° ′=′ ∗=* *=* †=†')
const subscript = pairs('0=₀ 1=₁ 2=₂ 3=₃ 4=₄ 5=₅ 6=₆ 7=₇ 8=₈ 9=₉ +=₊ -=₋ −=₋ (=₍ )=₎ a=ₐ e=ₑ h=ₕ i=ᵢ j=ⱼ k=ₖ l=ₗ m=ₘ n=ₙ o=ₒ p=ₚ r=ᵣ s=ₛ t=ₜ u=ᵤ v=ᵥ x=ₓ')

/** Raised or lowered characters; undefined unless Unicode has every one. */
export function scriptOf (text: string, place: '^' | '_'): string | undefined {
  const map = place === '^' ? superscript : subscript
  const out = Array.from(text, each => map.get(each))
  return text !== '' && out.every(each => each !== undefined) ? out.join('') : undefined
}

/** siunitx; what is not here shows its own name. */
export const units = pairs(`
  metre=m meter=m second=s gram=g kilogram=kg ampere=A kelvin=K mole=mol candela=cd hertz=Hz newton=N pascal=Pa joule=J
  watt=W coulomb=C volt=V farad=F ohm=Ω siemens=S weber=Wb tesla=T henry=H lumen=lm lux=lx becquerel=Bq gray=Gy
  sievert=Sv minute=min hour=h day=d degree=° celsius=°C degreeCelsius=°C litre=L liter=L electronvolt=eV percent=% bit=bit
  byte=B decibel=dB angstrom=Å arcsecond=″ arcminute=′ bar=bar tonne=t parsec=pc molar=M nano=n micro=µ milli=m centi=c
  deci=d kilo=k mega=M giga=G tera=T peta=P pico=p femto=f per=/ squared=² cubed=³ square= cubic= um=µm nm=nm mm=mm cm=cm
  km=km ms=ms us=µs ns=ns kHz=kHz MHz=MHz GHz=GHz eV=eV keV=keV MeV=MeV GeV=GeV TeV=TeV mV=mV kg=kg mg=mg`)
