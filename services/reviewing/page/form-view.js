/** A questionnaire as a form that needs no mouse: a digit answers the marked question. */
import { card, el } from './dom.js'

/**
 * @param questionnaire  or undefined where none was chosen
 * @param given          answers and comment to begin with
 */
export function formView (questionnaire, given) {
  const answers = { ...given.answers }
  const fields = new Map()
  let current = 0
  const comment = el('textarea', { value: given.comment ?? '', maxLength: 5000, rows: 1, 'aria-label': 'Comment' })
  const questions = questionnaire?.questions ?? []

  const asked = () => questions.filter(({ when }) => when === undefined || answers[when.question] === when.is)

  function answer (question, value) {
    if (value === '' || (Array.isArray(value) && value.length === 0)) delete answers[question.id]
    else answers[question.id] = value
    // What is no longer asked is no longer answered.
    const ids = new Set(asked().map(({ id }) => id))
    for (const id of Object.keys(answers)) if (!ids.has(id)) delete answers[id]
    update()
  }

  function update () {
    const list = asked()
    current = Math.min(current, Math.max(0, list.length - 1))
    for (const question of questions) {
      const field = fields.get(question.id)
      field.hidden = !list.includes(question)
      field.classList.toggle('current', list[current] === question)
    }
  }

  for (const question of questions) {
    const field = fieldOf(question, answers[question.id], value => { answer(question, value) })
    field.addEventListener('focusin', () => {
      current = asked().indexOf(question)
      update()
    })
    fields.set(question.id, field)
  }
  update()
  const element = card(questionnaire === undefined ? 'Comment' : questionnaire.name,
    questionnaire?.instruction
      ? el('details', {}, el('summary', {}, 'Instruction'), el('p', { class: 'hint' }, questionnaire.instruction))
      : null,
    ...fields.values(),
    el('p', { class: 'hint' }, 'Comment'), comment)

  return {
    element,
    /** What was answered, as the API takes it. */
    values: () => ({
      ...questionnaire !== undefined && Object.keys(answers).length > 0 &&
        { questionnaireId: questionnaire.id, answers: { ...answers } },
      comment: comment.value
    }),
    /** The first required question without an answer, marked and focused; undefined where none is. */
    firstMissing () {
      const list = asked()
      const at = list.findIndex(({ id, required }) => required && !Object.hasOwn(answers, id))
      if (at < 0) return undefined
      current = at
      update()
      const field = fields.get(list[at].id)
      field.scrollIntoView({ block: 'nearest' })
      field.querySelector('input, textarea')?.focus()
      return list[at]
    },
    /** Answers the marked question by its nth point or option, and marks the next. */
    press (digit) {
      const question = asked()[current]
      const inputs = [...fields.get(question?.id)?.querySelectorAll('input') ?? []]
      const input = question?.type === 'scale' ? inputs.find(({ value }) => Number(value) === digit) : inputs[digit - 1]
      if (input === undefined) return false
      input.click()
      if (question.type !== 'choices') current += 1
      update()
      fields.get(asked()[current]?.id)?.scrollIntoView({ block: 'nearest' })
      return true
    }
  }
}

function fieldOf (question, given, answer) {
  const { id, text, type, required } = question
  const legend = el('legend', {}, text, required ? '' : ' (optional)')
  if (type === 'text') {
    const area = el('textarea', { rows: 2, maxLength: 5000, value: given ?? '', 'aria-label': text })
    area.addEventListener('input', () => { answer(area.value) })
    return el('fieldset', {}, legend, area)
  }
  const points = type === 'scale' ? scalePoints(question) : question.options
  const inputs = points.map(({ value, label, title }) => {
    const kind = type === 'choices' ? 'checkbox' : 'radio'
    const input = el('input', { type: kind, name: `q-${id}`, value: String(value) })
    input.checked = Array.isArray(given) ? given.includes(value) : given === value
    input.addEventListener('change', () => {
      answer(type === 'choices' ? inputs.filter(({ input }) => input.checked).map(({ value }) => value) : value)
    })
    return { value, input, label: el('label', { title: title ?? '' }, input, label) }
  })
  const { anchors = {}, min, max } = question
  const end = point => anchors[point] === undefined ? null : el('span', { class: 'end' }, anchors[point])
  return el('fieldset', {}, legend,
    el('div', { class: 'points' }, end(min), ...inputs.map(({ label }) => label), end(max)))
}

function scalePoints ({ min, max, anchors = {} }) {
  return Array.from({ length: max - min + 1 }, (_, i) => (
    { value: min + i, label: String(min + i), title: anchors[min + i] }))
}
