/** Kind `binary`: minimal pairs of yes/no questions about a figure, as many of one as of the other. */
import type { Check } from '../../../../shared/contracts/item.ts'
import { sentencesOfEvidence, withoutMentions } from '../../../../shared/text/claim-guard.ts'
import { estimateTokens } from '../../../../shared/text/content-budget.ts'
import { contrastOf } from '../../../../shared/text/falsity.ts'
import { namedIn } from '../../../../shared/text/figure-mentions.ts'
import { termsOf } from '../../../../shared/text/tokens.ts'
import type { Place } from '../plan.ts'
import { fractionOf } from '../seeded.ts'
import { figureNumberOf } from '../source-text.ts'
import { quotesSchema } from './descriptive.ts'
import { figureFrame } from './figure.ts'
import { grounded } from './grounded.ts'
import { ownValues } from './own-values.ts'
import { falseFormOf, falseForms, formsAt, formsShown, trueFormOf, trueForms, type FigureForms, type Forms } from './pair-forms.ts'
import { questionFault } from './vqa.ts'
import {
  isFault, type Ask, type Fault, type ItemDraft, type Judged, type Material, type Room, type Subject,
  type Writer
} from './writer.ts'

interface PairDraft { quotes: string[], yes: string, no: string }

const question = { type: 'string', minLength: 1, maxLength: 2000 }

export const pairWriter: Writer = {
  name: 'binary',
  kind: 'binary',
  prompt: 'write-pairs.v1',
  draftProperties: { quotes: quotesSchema, yes: question, no: question },
  placesOf: ({ figures }, { counts }) => counts.pairsPerFigure === 0
    ? []
    : figures.map(({ id }): Place => ({ aspect: 'figure', id })),
  asksOf: pairAsks,
  judge: judgePair
}

function pairAsks (place: Place, material: Material, room: Room): Ask[] | Fault {
  const { document, source, recipe } = material
  const pictured = document.figures.filter(({ imageId }) => imageId !== null)
  const at = pictured.findIndex(({ id }) => id === place.id)
  const figure = pictured[at]
  const count = recipe.counts.pairsPerFigure
  const { asked } = formsAt(at, count, { seed: recipe.seed, paperId: document.paperId })
  const own = {
    forms: formsShown(asked),
    values: figure === undefined ? '' : ownValues(figure, source)
  }
  const frame = figureFrame(place, material, { tokens: room.tokens - estimateTokens(own.forms + own.values) })
  return isFault(frame) ? frame : [{ ...frame, values: { ...frame.values, ...own }, count }]
}

/** Asks for a word or a value: not to be answered with yes or no. */
const open = /^(?:what|which|who|whom|whose|why|how|when|where)\b|(?:무엇|얼마나|누가|누구|어디|언제|왜 )/iu

function judgePair (draft: PairDraft, subject: Subject): Judged {
  const { material: { document, source, language, recipe }, place, accepted, ask } = subject
  const [yes, no] = [draft.yes.trim(), draft.no.trim()]
  const figure = document.figures.find(({ id }) => id === place.id)
  if (figure === undefined) throw new RangeError(`Expected a figure of the document, got ${place.id}`)
  const fault = questionFault(yes, language, accepted) ?? questionFault(no, language, accepted)
  if (fault !== undefined) return fault
  if (open.test(yes) || open.test(no)) return { reason: 'not-yes-or-no', detail: 'The question cannot be answered with yes or no.' }
  const own = figureNumberOf(figure)
  const elsewhere = [yes, no].flatMap(text => [...namedIn(text).figures]).find(number => number !== own)
  if (elsewhere !== undefined) return { reason: 'points-elsewhere', detail: `It asks about figure ${elsewhere}.` }
  const found = grounded({ question: yes, answer: 'Yes', quotes: draft.quotes }, subject)
  if (isFault(found)) return found
  const { evidence, check } = found
  const contrast = contrastOf({ yes, no, evidence }, source, `${document.title} ${figure.label} ${figure.caption}`)
  if (isFault(contrast)) return contrast
  const forms = { trueForm: trueFormOf(withoutMentions(yes)), falseForm: falseFormOf(yes, contrast.changes) }
  const at = document.figures.filter(({ imageId }) => imageId !== null).indexOf(figure)
  const allotted = formsAt(at, ask.count, { seed: recipe.seed, paperId: document.paperId })
  const full = fullForm(forms, accepted, allotted)
  if (full !== undefined) return full
  const slices = {
    ...forms,
    foil: contrast.own ? 'of-the-paper' : 'written',
    lookUp: looksUp(yes, subject, evidence) ? 'yes' : 'no'
  }
  const checks: Check[] = [check, ...contrast.checks]
  const memberOf = (truth: boolean): ItemDraft => ({
    question: truth ? yes : no,
    choices: [{ text: 'Yes' }, { text: 'No' }],
    answerIndex: truth ? 0 : 1,
    rationale: truth
      ? 'The paper says so in the quoted evidence.'
      : `The paper has "${contrast.changes[0]?.from}" where the question has "${contrast.changes[0]?.to}".`,
    evidence,
    slices: { ...ask.slices, ...slices },
    checks
  })
  // Even over many pairs.
  const trueFirst = fractionOf(recipe.seed, 'order', yes) < 0.5
  return { items: [memberOf(trueFirst), memberOf(!trueFirst)] }
}

/** Says what to write of instead: the forms asked for that no pair of the figure has yet. */
function fullForm (
  forms: Forms, accepted: Subject['accepted'], { asked, room }: FigureForms
): Fault | undefined {
  const countOf = (kind: keyof Forms, form: string) =>
    accepted.filter(({ slices }) => slices?.[kind] === form).length / 2
  const open = asked.filter(({ falseForm }) => countOf('falseForm', falseForm) === 0)
  const { trueForm, falseForm } = forms
  if (countOf('falseForm', falseForm) >= room('falseForm', falseForm)) {
    const others = open.map(each => falseForms[each.falseForm]).filter(form => form !== falseForms[falseForm])
    return { reason: 'form-quota', detail: `Enough pairs misstate ${falseForms[falseForm]}; misstate ${others.join(', or ') || 'something else'}.` }
  }
  if (countOf('trueForm', trueForm) >= room('trueForm', trueForm)) {
    const others = open.map(each => trueForms[each.trueForm]).filter(form => form !== trueForms[trueForm])
    return { reason: 'form-quota', detail: `Enough pairs are about ${trueForms[trueForm]}; write about ${others.join(', or ') || 'something else'}.` }
  }
  return undefined
}

/** Share of the question's terms that one sentence has: then searching for its words finds it. */
const lookUpShareMin = 0.8
/** The frame of a yes/no question, whatever it is about. */
const frame = new Set(termsOf('regarding according paper report reports state states show shows figure caption authors text 논문 그림 따르면 다음 진술 옳은가'))

function looksUp (yes: string, { material: { source } }: Subject, evidence: ItemDraft['evidence']): boolean {
  const terms = termsOf(withoutMentions(yes)).filter(term => !frame.has(term))
  return [...sentencesOfEvidence(evidence, source)].some(sentence =>
    terms.filter(term => sentence.terms.has(term)).length >= lookUpShareMin * terms.length)
}
