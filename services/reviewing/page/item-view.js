/** The item as a rater reads it: question, answer, evidence, figure, and what others said of it. */
import { explicitView, pictureOf } from './bank-view.js'
import { card, el } from './dom.js'
import { boxesOf, byTarget, nameOf, placeOf, segmentsOf, textOf } from './places.js'

/** Of an edit, as the fields are named. */
const partNames = {
  question: 'question', answer: 'answer', choices: 'choices', answerIndex: 'the right choice', evidence: 'evidence', rationale: 'rationale'
}
const kinds = { qa: 'Question', vqa: 'Question on a figure', binary: 'Yes or no', choice: 'Multiple choice' }

/** What is shown of a card: the item as its rater left it, once it is edited. */
export function entryOf ({ entry, review, edited, reviewed }) {
  if (edited === undefined) return entry
  const { revision, failedChecks } = reviewed
  return { ...entry, item: edited, ...review.human.decides && { revision, failedChecks } }
}

/**
 * @param card   `entry` of the queue; `review`, `reviewed` and `edited` as the API answered, once reviewed
 * @param parts  `paper`: document or undefined; `figure(item, id)`, `bankImage(id)`: data URL; `goTo(page)`
 */
export function itemView (card, parts) {
  const entry = entryOf(card)
  const { item } = entry
  return [
    ...card.review === undefined ? [] : [ownLine(card.review.human)],
    tagsOf(entry, parts.paper),
    questionCard(item, parts),
    ...figureCards(item, parts),
    // Items of banks rest on no paper.
    ...item.source.paperId === undefined ? [] : [evidenceCard(item, parts)],
    ...entry.blind ? [] : [reviewsCard(entry)]
  ]
}

function partsOf (edit) {
  return Object.keys(edit).flatMap(name => partNames[name] ?? []).join(', ')
}

function ownLine ({ decision, edit }) {
  const what = edit === null ? '' : `: ${partsOf(edit)}`
  const said = decision === null ? 'You sent answers only' : `You ${decision} this${what}`
  return el('p', { class: 'tags own' }, el('span', { class: `tag ${decision === 'rejected' ? 'bad' : 'good'}` }, said))
}

function tagsOf ({ item, revision, failedChecks, verdict, decision, disputed, double, blind }, paper) {
  const place = placeOf(item, paper)
  const tag = (text, look = '') => el('span', { class: `tag ${look}` }, text)
  return el('p', { class: 'tags' },
    tag(kinds[item.kind] ?? item.kind),
    ...place === '' ? [] : [tag(place)],
    ...Object.entries(item.slices).map(([name, value]) => tag(`${name}: ${value}`)),
    ...item.pairId === undefined ? [] : [tag('one of a pair')],
    ...item.answerability === undefined ? [] : [tag(item.answerability, 'bad')],
    ...revision > 0 ? [tag(`revision ${revision}`)] : [],
    ...failedChecks.map(name => tag(`failed ${name}`, 'bad')),
    ...verdict === null ? [] : [tag(verdict, verdict === 'good' ? 'good' : '')],
    ...decision === null ? [] : [tag(decision, decision === 'rejected' ? 'bad' : 'good')],
    ...disputed ? [tag('disputed', 'bad')] : [],
    ...double ? [tag('two raters')] : [],
    ...blind ? [tag('blind')] : [])
}

function questionCard (item, parts) {
  const right = item.answerIndex
  const choices = item.choices === undefined
    ? null
    : el('ol', { class: 'choices' }, ...item.choices.map((choice, at) => at === right
      ? el('li', { class: 'right' }, choice.text, ' ', el('span', { 'aria-label': 'marked right' }, '✓'), choicePicture(item, at, parts))
      : el('li', {}, choice.text, choicePicture(item, at, parts))))
  return card('Question and answer',
    el('p', { class: 'question' }, item.question),
    item.answer === undefined ? null : el('p', { class: 'answer' }, item.answer),
    choices,
    explicitView(item),
    item.rationale === undefined ? null : el('p', { class: 'answer' }, item.rationale))
}

/** Of a choice of a bank; those of papers are figures, which stand below. */
function choicePicture ({ source, choices }, at, { bankImage }) {
  const { imageId } = choices[at]
  return imageId === undefined || source.paperId !== undefined ? null : pictureOf(bankImage, imageId, `Choice ${at + 1}`)
}

function evidenceCard (item, { paper, goTo }) {
  const quotes = byTarget(item.evidence).map(group => {
    const [evidence] = group
    const segments = segmentsOf(group, paper === undefined ? '' : textOf(evidence, paper))
    const pages = paper === undefined ? [] : [...new Set(boxesOf(evidence, paper).map(({ page }) => page))]
    const numbers = group.map(one => item.evidence.indexOf(one) + 1).join(', ')
    const where = el('span', { class: 'where' },
      `Evidence ${numbers}: ${paper === undefined ? `page ${evidence.page}` : nameOf(evidence, paper)}`)
    for (const page of pages.length > 1 ? pages : []) {
      where.append(' ', el('button', { type: 'button', onclick: () => { goTo(page) } }, `Page ${page}`))
    }
    return el('blockquote', { class: 'quote' },
      ...segments.map(({ text, quoted }) => quoted ? el('mark', {}, text) : text), where)
  })
  return card('Evidence', ...quotes.length > 0 ? quotes : [el('p', { class: 'hint' }, 'None.')])
}

function figureCards (item, { paper, figure }) {
  return item.figureIds.map(figureId => {
    const found = paper?.figures.find(({ id }) => id === figureId)
    const label = found?.label || `Figure ${figureId}`
    const image = el('img', { alt: `${label}: ${found?.caption ?? ''}` })
    figure(item, figureId).then(url => { image.src = url }, error => {
      image.replaceWith(el('p', { class: 'hint' }, `The picture cannot be shown: ${error.message}`))
    })
    return card('Figure', el('figure', {}, image,
      el('figcaption', {}, el('strong', {}, label), ' ', found?.caption ?? '')))
  })
}

function reviewsCard ({ reviews }) {
  return card('Reviews', ...reviews.length > 0
    ? reviews.map(review => el('div', { class: 'review' },
      ...'human' in review ? humanLines(review) : modelLines(review)))
    : [el('p', { class: 'hint' }, 'None yet.')])
}

function modelLines ({ reviewer, role, round, verdict, scores, reasons, checks, comment }) {
  const failed = checks.filter(check => !check.passed)
  const name = { checks: 'Checks', round: `Round ${round ?? ''}`, confirmatory: 'Confirmatory review' }[role] ?? role
  return [
    el('p', {}, el('strong', {}, name), ` by ${reviewer.name}: ${verdict}`),
    scores === null ? null : scoreList(scores, reasons),
    comment === '' ? null : el('p', {}, comment),
    ...failed.map(check => el('p', { class: 'error' }, `${check.name}: ${check.detail}`)),
    role === 'checks' && failed.length === 0 ? el('p', { class: 'hint' }, `Passed all ${checks.length} checks.`) : null
  ].filter(line => line !== null)
}

function scoreList (scores, reasons) {
  return el('dl', { class: 'scores' }, ...Object.entries(scores).flatMap(([name, score]) => [
    el('dt', {}, name), el('dd', { class: 'score' }, String(score)), el('dd', {}, reasons[name] ?? '')
  ]))
}

function humanLines ({ scores, comment, human }) {
  const { rater, decision, reason, standing, edit } = human
  return [
    el('p', {}, el('strong', {}, rater.id), ` (${rater.role}): ${decision ?? 'answers only'}${standing === 'stands' ? '' : `, ${standing}`}`),
    reason === '' ? null : el('p', {}, reason),
    edit === null ? null : el('p', { class: 'hint' }, `Edited: ${partsOf(edit)}`),
    scores === null ? null : scoreList(scores, {}),
    comment === '' ? null : el('p', {}, comment)
  ].filter(line => line !== null)
}
