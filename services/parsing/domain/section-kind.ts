/** What a section is for, from its title. English first; headings of other languages by their words. */
import type { sectionKinds } from '../../../shared/contracts/document.ts'
import { closeLetterSpacing } from './clean-text.ts'

export type SectionKind = typeof sectionKinds[number]

/** In order: the first pattern that fits decides. */
const patterns: [SectionKind, RegExp][] = [
  ['references', /^(?:references?|bibliography|literature(?: cited)?|works cited|references and notes|notes and references|cited literature|literatur(?:verzeichnis)?|r\u00E9f\u00E9rences|referencias|\uCC38\uACE0 ?\uBB38\uD5CC|\uCC38 ?\uACE0 ?\uBB38 ?\uD5CC|\u53C2\u8003\u6587\u732E|\u53C3\u8003\u6587\u737B)(?: cited)?$/],
  ['acknowledgements', /^(?:acknowledge?ments?|acknowledgement and|funding|financial support|\uAC10\uC0AC\uC758 ?\uAE00|\uC0AC\uC0AC)/],
  ['appendix', /^(?:appendix|appendices|supplementary|supporting information|supplemental|additional information|additional files?|\uBD80\uB85D)/],
  ['limitations', /limitations?\b/],
  ['related-work', /^(?:related works?|prior work|previous work|state of the art|literature review|theoretical background|\uAD00\uB828 ?\uC5F0\uAD6C)/],
  ['introduction', /^(?:introduction|background|overview|motivation|einleitung|introducci\u00F3n|\uC11C ?\uB860|\uB4E4\uC5B4\uAC00\uB294 ?\uB9D0|\u5F15\u8A00|\u7EEA\u8BBA|\u306F\u3058\u3081\u306B)/],
  ['conclusion', /^(?:conclusions?|concluding|summary|closing|outlook|\uACB0 ?\uB860|\uB9FA\uC74C\uB9D0|\u7ED3\u8BBA|\u7D50\u8AD6)|conclusions?$/],
  ['results', /^(?:results?|findings|evaluation|experiment(?:s|al results)|\uACB0\uACFC|\uC2E4\uD5D8 ?\uACB0\uACFC|\u7ED3\u679C)|results?(?: and discussion)?$/],
  ['discussion', /^(?:discussion|general discussion|\uACE0 ?\uCC30|\uB17C ?\uC758|\u8BA8\u8BBA)|discussion$/],
  ['methods', /^(?:(?:materials?|patients?|subjects?|data|study) (?:and|&) )?(?:methods?|methodology|experimental|procedures?|approach)\b|^(?:materials?|study design|experimental (?:section|procedures?|setup|design)|model|data|\uC5F0\uAD6C ?\uBC29\uBC95|\uBC29 ?\uBC95|\uBCF8 ?\uB860|\u65B9\u6CD5)\b|methods?$|methodology$/]
]

/** @param title without its number */
export function kindOf (title: string): SectionKind {
  const plain = plainTitle(title)
  for (const [kind, pattern] of patterns) if (pattern.test(plain)) return kind
  return 'other'
}

export function plainTitle (title: string): string {
  return closeLetterSpacing(title).toLowerCase().replace(/\s+/g, ' ').replace(/[\s.:\u2014-]+$/, '').trim()
}

const others = /^(?:theory|preliminaries|problem (?:statement|formulation|definition)|case (?:report|presentation|study)|notation|implementation|applications?|analysis|future (?:work|directions?)|discussions?|author contributions?|authors.{0,2} contributions?|contributors?|competing interests?|conflicts? of interests?|declarations?|ethics(?: statement| approval)?|ethical (?:issues|approval|considerations)|data availability(?: statement)?|availability of data.*|abbreviations|consent.*|disclosures?|notes|supplementary materials?|supplementary data|nomenclature|author details|orcid.*|code availability)$/

/** Whether papers commonly have a section of this name; only whole titles count. */
export function isKnownTitle (title: string): boolean {
  const plain = plainTitle(title)
  if (plain.length > 60) return false
  if (others.test(plain)) return true
  return kindOf(plain) !== 'other' && (plain.split(' ').length <= 4 || exact.test(plain))
}

const exact = /^(?:results and discussions?|materials? and methods?|discussion and conclusions?|conclusions? and (?:future work|outlook|perspectives))$/

const back = /^(?:author.{0,4} contributions?|credit .*|contributors?|competing (?:financial )?interests?|(?:declaration of )?(?:competing|conflicts? of|conflicting) interests?.*|declarations?|ethic(?:s|al)\b.*|data (?:and \w+ )?(?:availability|access|sharing).*|availability of .*|code availability|abbreviations|consent .*|disclosures?|notes|supplementary .*|supporting information|associated content|author (?:information|details|statement)|online content|additional information|nomenclature|orcid.*|provenance.*|patient consent.*|open access|publisher.s note|article information|data accessibility|conflict.*|\uAC10\uC0AC.*|\uC774\uD574\uCDA9\uB3CC.*)$/

/** Whether sections of this name stand behind the body of a paper. */
export function isBackTitle (title: string): boolean {
  const kind = kindOf(title)
  return kind === 'references' || kind === 'acknowledgements' || back.test(plainTitle(title))
}

/** Of these the statements that authors owe: thanks, money, interests, ethics, shares, data. */
export function isStatementTitle (title: string): boolean {
  return kindOf(title) === 'acknowledgements' || (isBackTitle(title) &&
    /contribut|interest|ethic|availab|consent|disclosure|declaration|\uC774\uD574/.test(plainTitle(title)))
}

const top = /^(?:introduction|background|(?:materials?|patients?|subjects?|participants?) and methods|methods?(?: and materials?)?|methodology|experimental(?: section| procedures?)?|results?|results? and discussions?|discussions?(?: and conclusions?)?|conclusions?|concluding remarks|references|references and notes|literature cited|acknowledge?ments?|\uC11C ?\uB860|\uBCF8 ?\uB860|\uACB0 ?\uB860|\uCC38 ?\uACE0 ?\uBB38 ?\uD5CC)$/

/** Whether sections of exactly this name stand at the top level of papers. */
export function isTopTitle (title: string): boolean {
  return top.test(plainTitle(title))
}
