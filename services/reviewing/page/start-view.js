/* global location */
/** The dialog that asks who reviews what. */
import { byId, el } from './dom.js'
import { namesOf } from './names.js'
import { readSession, writeSession } from './session.js'

/**
 * @param api    asks with the key in the form
 * @param begin  called with the session and the questionnaire once the rater begins
 */
export function startView (api, begin) {
  const dialog = byId('start')
  const form = byId('start-form')
  const { elements } = form
  const error = byId('start-error')
  let questionnaires = []

  /** Lists need a key where the service has keys. */
  async function load () {
    const wanted = { ...readSession(), ...Object.fromEntries(new URLSearchParams(location.search)) }
    try {
      const [reviewings, forms] = await Promise.all([all('/v1/reviewings'), all('/v1/questionnaires')])
      const isOfBank = ({ source }) => source.generationId === undefined
      const ofBanks = reviewings.some(isOfBank) ? ['imports', 'curations'] : []
      const [generations, papers, imports, curations] = await Promise.all(
        ['generations', 'papers', ...ofBanks].map(async list => await named(`/v1/${list}`)))
      const names = namesOf(reviewings, { generations, papers, imports, curations })
      questionnaires = forms.filter(({ scope }) => scope === 'item')
      elements.reviewingId.replaceChildren(...reviewings.map(({ id }, at) =>
        el('option', { value: id, title: id }, names[at])))
      elements.questionnaireId.replaceChildren(el('option', { value: '' }, 'None: decisions only'),
        ...questionnaires.map(({ id, name, version }) => el('option', { value: id }, `${name}, version ${version}`)))
      for (const name of ['reviewingId', 'questionnaireId']) {
        if (wanted[name] !== undefined) elements[name].value = wanted[name]
      }
      error.textContent = reviewings.length === 0 ? 'There is no reviewing yet: make items and have them reviewed first.' : ''
    } catch (problem) {
      error.textContent = problem.message
      if (problem.status === 401) elements.key.focus()
    }
  }

  /** Only names come from it: a service that is alone at this address has none, and does without. */
  async function named (path) {
    return await all(path).catch(() => [])
  }

  /** Pages of a list, as many as a person can choose from. */
  async function all (path) {
    const items = []
    let cursor = ''
    for (let pages = 0; pages < 5; pages++) {
      const page = await api.json(`${path}?limit=200${cursor}`)
      items.push(...page.items)
      if (page.nextCursor === null) break
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
    }
    return items
  }

  function fill () {
    const wanted = { ...readSession(), ...Object.fromEntries(new URLSearchParams(location.search)) }
    for (const name of ['key', 'raterId', 'role', 'qualification', 'double', 'seed', 'raters', 'instructionVersion']) {
      if (wanted[name] !== undefined && name in elements) elements[name].value = wanted[name]
    }
    if (wanted.blind !== undefined) elements.blind.checked = String(wanted.blind) === 'true'
    if (wanted.disputed !== undefined) elements.disputed.checked = String(wanted.disputed) === 'true'
  }

  byId('connect').addEventListener('click', () => {
    writeSession({ ...readSession(), key: elements.key.value.trim() })
    void load()
  })
  elements.disputed.addEventListener('change', () => { if (elements.disputed.checked) elements.blind.checked = false })
  form.addEventListener('submit', event => {
    event.preventDefault()
    const value = name => elements[name].value.trim()
    const session = {
      key: value('key'),
      raterId: value('raterId'),
      role: value('role'),
      qualification: value('qualification'),
      reviewingId: value('reviewingId'),
      questionnaireId: value('questionnaireId'),
      double: value('double'),
      seed: value('seed'),
      raters: value('raters'),
      instructionVersion: value('instructionVersion'),
      blind: elements.blind.checked && !elements.disputed.checked,
      disputed: elements.disputed.checked
    }
    writeSession(session)
    dialog.close()
    begin(session, questionnaires.find(({ id }) => id === session.questionnaireId))
  })

  return {
    open () {
      fill()
      dialog.showModal()
      void load()
    }
  }
}
