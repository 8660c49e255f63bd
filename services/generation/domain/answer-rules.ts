/** Why a sentence cannot be part of an answer: each rule is data. */
import { lostExponent } from '../../../shared/text/powers.ts'
import { hasVerb } from './sentence-rules.ts'

const meta = /\bthis (?:section|subsection|chapter|figure|table)\b|\b(?:the (?:rest|remainder) of (?:this|the) paper|is organi[sz]ed as follows|we (?:describe|discuss|present) in section|we will now|the point is|the main takeaway|in due course|future work|best of our knowledge|currently underway)\b/iu
const hedge = /\b(?:may|might|could|likely|unlikely|probably|possibly|perhaps|seems?|appears? to|would be)\b/iu
const broken = /[\uFFFD\uE000-\uF8FF\u{1D400}-\u{1D7FF}\u2200-\u22FF]|[{}|\\^]|\s\p{L}\s\p{L}\s\p{L}\s|\p{Ll}\p{Lu}\p{Ll}{3,}|\S{41,}|https?:|\p{L}- \p{L}|•/u
const boilerplate = /\b(?:copyright|creative commons|licen[sc]ed?|doi|www\.|sponsors?|funders?|competing interests?|correspondence|e-mail|received|all rights reserved|supplementary|availability|grateful|thank|acknowledges?|University|Department)\b|©|@/iu
/** It points at something else instead of saying what is there. */
const pointer = /^(?:See|Sections?|Panels?|Appendix|Equations?)\b|^(?:Figs?\.?|Figures?|Tables?) ?\d+[^.]{0,12} (?:shows?|presents?|refers?|lists?|gives?|summari[sz]es?|displays?|illustrates?|depicts?|provides?|completes?|compares?)(?! that\b)|\b(?:is|are|was|were) (?:\p{Ll}+ )?(?:shown|presented|listed|given|summari[sz]ed|displayed|illustrated|depicted|described|plotted) (?:in|as|by) (?:the )?(?:Figs?|Figures?|Tables?|Sections?|Appendix|Eqs?|Equations?|following|next|previous)|\b(?:(?:see|listed|reported|given) below|the following|as follows|see, )|\b(?:see|with details given in|by|from|in) (?:Eqs?|Equations?|Sections?|Lemm[ae]|Theorems?|paragraph) ?\(?\d/iu
/** A word or a run of words set twice: the trace of two text layers. */
const doubled = /(?<!\p{L})(\p{L}{3,20}(?: \p{L}{2,20}){0,3}) \1(?!\p{L})/u
/** It ends or begins in the middle: a list, a cut name, a number that lost what it counts. */
const fragment = /\b(?:as|in|by|of|the|a|an|and|or|from|to|with|for|c|n|no)\.$|^\d+(?:[.,]\d+)?\s?(?:%|\p{Lu}|and\b|\))|^[^(]*\)|^\d+\. |^(?:\p{Lu}[\p{L}-]+ ){1,4}(?:The|To|We|In|For|An?|This|These|Our|It|All|As|Each) /u

const openers = /^(?:It|Its|They|Their|These|This(?! (?:paper|study|work|article|research)\b)|Those|He|She|Such|Here(?!in)|There(?:fore|by)|Thus|Hence|However|But|And|Also|The (?:former|latter|second|third|other|first|last|company|values|authors?|same|two|three)\b|On the other hand|On the contrary|In contrast|Both|Then|As mentioned|As described|As a result|As such|For (?:example|instance|this|these|that)|Similarly|Moreover|Furthermore|In addition|Additionally|Conversely|Instead|Consequently|Accordingly|Nevertheless|Nonetheless|Another|Other|Others|Second(?:ly)?|Third(?:ly)?|Lastly|Finally|Next|Indeed|In fact|In other words|Put differently|Meanwhile|In particular|Specifically|Following|Subsequently|Afterwards|In this|In these|In that|In such|At this|With this|With these|By this|From this|From these|To this|All of (?:these|the above)|One of (?:these|them)|Many other|Several other|Until then|So|Yet|Still|Again|Likewise|Otherwise|Unlike|Only then|More(?: specifically| precisely))\b(?! (?:study|paper|work|article|research),)/u
const koreanOpeners = /^(?:이 (?!논문|연구|글)|이를|이는|이러한|이와|이에|이때|그리고|그러나|하지만|또한|따라서|즉|해당|특히|마지막으로)/u
/** Words inside a sentence that stand for something said before it. */
const backwards = /^(?:\S+ ){1,4}(?:therefore|thus|hence|however|instead)\b|\b(?:this|these|those)\b(?! (?:study|paper|work|article|research|investigation|thesis|report|of|with|in|that|who|which|from|obtained|without|for)\b)|\b(?:above|aforementioned|mentioned|(?:is|are|was|were|can) then|the (?:former|latter)|such (?:a|an|\p{Ll}+s)|the other|the others|the two|them both)\b(?! \d)|^(?:at|after|for|in|under|with|during|before|when|from|on|among|within|because|since|although|while|as|by|due|to) [^,]{1,120}, (?:it|its|they|their|he|she)\b/iu

/** Whether a sentence leans on the one before it. */
export function leansBack (text: string): boolean {
  return openers.test(text) || koreanOpeners.test(text) || backwards.test(text)
}

/** Why a sentence cannot be part of an answer, or undefined; leaning back is none unless `alone`. */
export function answerFault (text: string, alone = true): string | undefined {
  if (!/[.。!]["”’)]?$|\[\d[^\]]{0,20}\]\.?$|\.\d{1,3}(?:[,–-]\d{1,3})*$/u.test(text)) return 'not-a-sentence'
  const korean = /[\uAC00-\uD7A3]/u.test(text)
  // A Hangul syllable says as much as two or three letters.
  if (text.length < (korean ? 12 : 30)) return 'too-short'
  if (!/^["“(]?[\p{Lu}\p{Lo}\d]/u.test(text) || fragment.test(text) || unbalanced(text)) return 'not-a-sentence'
  if (broken.test(text) || text.replaceAll(/[^\p{L}\s]/gu, '').length / text.length < 0.75) return 'broken-text'
  if (lostExponent(text) !== undefined) return 'exponent-uncertain'
  if (boilerplate.test(text)) return 'boilerplate'
  if (doubled.test(text)) return 'broken-text'
  if (pointer.test(text)) return 'points-elsewhere'
  if (meta.test(text)) return 'meta'
  if (hedge.test(text)) return 'hedged'
  if (!korean && !hasVerb(text)) return 'no-finite-verb'
  return alone && leansBack(text) ? 'dangling-reference' : undefined
}

function unbalanced (text: string): boolean {
  return text.split('(').length !== text.split(')').length
}
