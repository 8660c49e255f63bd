/** The item as fields, and what was changed in them; and the reason for a rejection. */
import { card, el } from './dom.js'

const lines = text => Math.min(8, 1 + Math.ceil(text.length / 70))

function area (label, value, maxLength) {
  const field = el('textarea', { value, rows: lines(value), maxLength })
  return { field, element: el('label', {}, label, field) }
}

/** @param actions  `send()` and `leave()` */
export function editView (item, actions) {
  const question = area('Question', item.question, Math.max(4000, item.question.length))
  const answer = item.answer === undefined ? undefined : area('Answer', item.answer, 8000)
  const rationale = item.rationale === undefined ? undefined : area('Rationale', item.rationale, 8000)
  const choices = (item.choices ?? []).map(({ text, imageId }, at) => {
    const name = `Choice ${at + 1}`
    const isRight = at === item.answerIndex
    const right = el('input', { type: 'radio', name: 'right', checked: isRight, 'aria-label': `${name} is right` })
    const isFixed = item.kind === 'binary'
    const placeholder = imageId === undefined ? undefined : 'an image'
    const field = el('input', { value: text, placeholder, maxLength: 4000, disabled: isFixed, 'aria-label': name })
    return { right, field, element: el('div', { class: 'choice' }, right, field) }
  })
  const quotes = item.evidence.map(({ quote }, at) => area(`Evidence ${at + 1}: words of the paper`, quote, 4000))
  const relabel = el('input', { type: 'checkbox' })
  const element = card('Edit',
    question.element, answer?.element ?? null, ...choices.map(choice => choice.element),
    ...item.pairId === undefined
      ? []
      : [el('p', { class: 'hint' }, 'One of a pair: the other member stays as it is, and so does the label unless you say so.'),
          el('label', { class: 'check' }, relabel, ' Change the label')],
    rationale?.element ?? null, ...quotes.map(quote => quote.element),
    buttons('Send the edit', 'edit', actions))
  element.classList.add('editing')

  return {
    element,
    first: question.field,
    /** Puts changes made to another version of the item into the fields. */
    fill (edit) {
      question.field.value = edit.question ?? question.field.value
      if (answer !== undefined) answer.field.value = edit.answer ?? answer.field.value
      if (rationale !== undefined) rationale.field.value = edit.rationale ?? rationale.field.value
      edit.choices?.forEach((text, at) => { if (choices[at] !== undefined) choices[at].field.value = text })
      if (choices[edit.answerIndex] !== undefined) choices[edit.answerIndex].right.checked = true
      relabel.checked = edit.relabel === true
      edit.evidence?.forEach(({ quote }, at) => {
        if (quotes[at] !== undefined) quotes[at].field.value = quote
      })
    },
    /** What differs from the item, as the API takes it; empty where nothing does. */
    edit () {
      const texts = choices.map(({ field }) => field.value)
      const right = choices.findIndex(choice => choice.right.checked)
      const said = quotes.map(({ field }) => field.value.trim())
      const asked = item.evidence.map(({ quote, target, cell }, at) => said[at] === quote
        ? { quote, target, ...cell !== undefined && { cell } }
        : { quote: said[at] }).filter(({ quote }) => quote !== '')
      return {
        ...question.field.value !== item.question && { question: question.field.value },
        ...answer !== undefined && answer.field.value !== item.answer && { answer: answer.field.value },
        ...rationale !== undefined && rationale.field.value !== item.rationale &&
          { rationale: rationale.field.value },
        ...texts.some((text, at) => text !== item.choices[at].text) && { choices: texts },
        ...right >= 0 && right !== item.answerIndex &&
          { answerIndex: right, ...relabel.checked && { relabel: true } },
        ...said.some((quote, at) => quote !== item.evidence[at].quote) && { evidence: asked }
      }
    }
  }
}

/** @param actions  `send()` and `leave()` */
export function rejectView (actions) {
  const reason = area('Reason', '', 2000)
  const element = card('Reject', reason.element, buttons('Reject', 'reject', actions))
  element.classList.add('editing')
  return {
    element,
    first: reason.field,
    fill (typed) { reason.field.value = typed },
    reason: () => reason.field.value.trim()
  }
}

function buttons (label, look, { send, leave }) {
  return el('div', { class: 'buttons' },
    el('button', { type: 'button', onclick: leave }, 'Leave ', el('kbd', {}, 'Esc')),
    el('button', { type: 'button', class: look, onclick: send }, `${label} `, el('kbd', {}, 'Ctrl Enter')))
}
