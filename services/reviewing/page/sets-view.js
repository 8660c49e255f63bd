/** Sets of items judged as wholes, how consistent and how diverse: with a form apart from that of items. */
import { query } from './api.js'
import { byId, el, notice } from './dom.js'
import { formView } from './form-view.js'
import { stopwatch } from './session.js'

const sets = 5
const size = 20

/** @param sessionOf  who reviews what, as the dialog of the start left it */
export function setsView (api, sessionOf) {
  const dialog = byId('sets-dialog')
  const choice = byId('set-choice')
  const list = byId('set-items')
  const formPlace = byId('set-form')
  const error = byId('set-error')
  /** By set and questionnaire. */
  const typedOf = new Map()
  let shown
  let known = []
  let questionnaires = []
  let form
  let watch

  async function load () {
    const { reviewingId, seed } = sessionOf()
    const [{ items }, all] = await Promise.all([
      api.json(`/v1/review-sets?${query({ reviewingId, sets, size, seed })}`),
      api.json('/v1/questionnaires?limit=200')
    ])
    known = items
    questionnaires = all.items.filter(({ scope }) => scope === 'set')
    choice.replaceChildren(...known.map(({ itemIds }, at) =>
      el('option', { value: String(at) }, `Set ${at + 1}: ${itemIds.length} items`)))
    byId('set-questionnaire').replaceChildren(...questionnaires.map(({ id, name, version }) =>
      el('option', { value: id }, `${name}, version ${version}`)))
    if (known.length === 0) error.textContent = 'There are too few eligible items to make sets of.'
    else await show()
  }

  function keepTyped () {
    if (shown !== undefined) typedOf.set(shown, form.values())
  }

  async function show () {
    const set = known[Number(choice.value)]
    const questionnaire = questionnaires.find(({ id }) => id === byId('set-questionnaire').value)
    watch?.stop()
    watch = stopwatch()
    keepTyped()
    shown = `${set.setId} ${questionnaire?.id}`
    form = formView(questionnaire, typedOf.get(shown))
    formPlace.replaceChildren(form.element)
    list.replaceChildren(el('li', { class: 'hint' }, 'Loading …'))
    const { reviewingId } = sessionOf()
    const reviewed = await Promise.all(set.itemIds.map(async itemId =>
      await api.json(`/v1/reviewings/${reviewingId}/items/${itemId}`)))
    if (known[Number(choice.value)] === set) list.replaceChildren(...reviewed.map(({ item }) => lineOf(item)))
  }

  async function send () {
    const missing = form.firstMissing()
    if (missing !== undefined) {
      error.textContent = `Not answered yet: ${missing.text}`
      return
    }
    const set = known[Number(choice.value)]
    const { reviewingId, raterId, role, qualification, instructionVersion, blind } = sessionOf()
    const answered = form.values()
    await api.post('/v1/set-reviews', {
      reviewingId,
      itemIds: set.itemIds,
      rater: { id: raterId, role, qualification },
      blind,
      ...answered,
      instructionVersion,
      seconds: watch.seconds()
    })
    notice(`Set ${Number(choice.value) + 1} is rated.`)
    const next = Number(choice.value) + 1
    if (next >= known.length) {
      dialog.close()
      return
    }
    choice.value = String(next)
    await show()
  }

  /** What fails is said where it is seen. */
  const saying = act => () => {
    error.textContent = ''
    act().catch(problem => { error.textContent = problem.message })
  }
  choice.addEventListener('change', saying(show))
  byId('set-questionnaire').addEventListener('change', saying(show))
  byId('set-send').addEventListener('click', saying(send))
  dialog.addEventListener('close', () => { watch?.stop() })

  return {
    open () {
      dialog.showModal()
      saying(load)()
    }
  }
}

function lineOf ({ question, answer, choices, answerIndex }) {
  return el('li', {}, el('strong', {}, question), ' ', answer ?? choices?.[answerIndex]?.text ?? '')
}
