/** The review page: what the rater sees and presses, put together. */
import { ApiError, apiClient, faultIn, query } from './api.js'
import { byId, el, notice } from './dom.js'
import { editView, rejectView } from './edit-view.js'
import { formView } from './form-view.js'
import { entryOf, itemView } from './item-view.js'
import { keysOf } from './keys.js'
import { paperView } from './paper-view.js'
import { readSession, reviewBody, stopwatch, withoutTime } from './session.js'
import { setsView } from './sets-view.js'
import { startView } from './start-view.js'

/** Items taken ahead of the one that is read: the next is there at once. */
const ahead = 3
const leaseSeconds = 1800

const api = apiClient(() => readSession().key ?? '')
const paper = paperView(api)
const start = startView(api, begin)
const sets = setsView(api, () => state.session)

/** `cards`: items met so far: {entry, review, reviewed, edited, answers, comment}; `at`: the one shown. */
const state = {
  session: {},
  questionnaire: undefined,
  cards: [],
  at: 0,
  form: undefined,
  /** The card that the form is of. */
  formCard: undefined,
  mode: undefined,
  watch: undefined,
  busy: false
}

async function begin (session, questionnaire) {
  Object.assign(state, { session, questionnaire, cards: [], at: 0, mode: undefined, formCard: undefined })
  await take()
  show()
}

/** Asks for more items; those held already are renewed by it. */
async function take () {
  const { reviewingId, raterId, seed, double, raters, blind, disputed } = state.session
  const open = state.cards.filter(({ review }) => review === undefined).length
  const asked = {
    reviewingId,
    raterId,
    seed,
    raters,
    blind,
    disputed,
    doubleShare: Number(double) / 100,
    leaseSeconds,
    limit: Math.min(20, open + ahead)
  }
  try {
    const { entries, progress } = await api.json(`/v1/review-queue?${query(asked)}`)
    const met = state.cards.filter(({ review }) => review === undefined)
    const known = new Set(met.map(({ entry }) => entry.item.id))
    const fresh = entries.filter(({ item }) => !known.has(item.id))
    state.cards.push(...fresh.map(entry => ({ entry, review: undefined })))
    const { yours, reviewed, items } = progress
    byId('progress').textContent = `${yours} reviewed by you, ${reviewed} by anybody, of ${items} in this queue`
    showPosition()
  } catch (error) {
    failed(error)
  }
}

function showPosition () {
  const { length } = state.cards
  byId('position').textContent = length === 0 ? '' : `${Math.min(state.at + 1, length)} / ${length}`
  byId('previous').disabled = state.at === 0
  byId('next').disabled = state.at >= state.cards.length - 1
  byId('undo').disabled = !state.cards.some(({ review }) => review !== undefined)
}

function show () {
  const card = state.cards[state.at]
  state.mode = undefined
  state.watch?.stop()
  showPosition()
  for (const id of ['accept', 'edit', 'reject', 'rate']) {
    byId(id).disabled = card === undefined || card.review !== undefined
  }
  byId('rate').hidden = state.questionnaire === undefined
  if (card === undefined) {
    byId('form').replaceChildren()
    byId('item').replaceChildren(el('p', { class: 'empty' },
      'Nothing is left for you in this queue. An item that somebody else holds may come back later.'))
    paper.clear('')
    return
  }
  void showItem(card)
}

async function showItem (card) {
  state.watch = stopwatch()
  keepTyped()
  Object.assign(state, { form: formView(state.questionnaire, card), formCard: card })
  const parts = { figure: paper.figure, bankImage: paper.bankImage, goTo: paper.goTo }
  const place = document => { byId('item').replaceChildren(...itemView(card, { ...parts, paper: document })) }
  place(undefined)
  byId('form').replaceChildren(...card.review === undefined ? [state.form.element] : [])
  byId('form').scrollTop = 0
  byId('item').scrollTop = 0
  const document = await paper.open(entryOf(card).item)
  // What is shown meanwhile, or written into, stays.
  if (document !== undefined && state.cards[state.at] === card && state.mode === undefined) place(document)
}

/** What was answered and not sent is there again when the card is. */
function keepTyped () {
  const { formCard: card, form } = state
  if (card !== undefined) Object.assign(card, { answers: undefined, ...form.values() })
}

function go (by) {
  const at = state.at + by
  if (at < 0 || at >= state.cards.length || !mayLeave()) return
  state.at = at
  notice('')
  show()
}

/** What was typed into an edit is not thrown away by a key. */
function mayLeave () {
  if (state.mode === undefined) return true
  notice('Send the edit or leave it with Esc first.', true)
  return false
}

async function send (decision, own = {}) {
  const card = state.cards[state.at]
  if (card === undefined || card.review !== undefined || state.busy) return
  const missing = state.form.firstMissing()
  // Who rejects an item need not rate it.
  if (missing !== undefined && decision !== 'rejected') {
    notice(`Not answered yet: ${missing.text}`, true)
    return
  }
  const answered = missing === undefined ? state.form.values() : {}
  const body = reviewBody(state.session, decision, { ...own, ...answered, seconds: state.watch.seconds() })
  keepTyped()
  // Sent again after a fault it is the same review, however long that took.
  const same = card.posted !== undefined && withoutTime(card.posted) === withoutTime(body)
  if (!same) card.posted = body
  state.busy = true
  try {
    await reviewed(card, await api.post(`/v1/items/${card.entry.item.id}/reviews`, card.posted, card.entry.etag))
  } catch (error) {
    await failed(error, card)
  } finally {
    state.busy = false
  }
}

async function reviewed (card, { review, reviewed, edited }) {
  Object.assign(card, { review, reviewed, edited, posted: undefined })
  const { decision } = review.human
  const said = { accepted: 'Accepted.', edited: 'Edited.', rejected: 'Rejected.' }[decision] ?? 'Answers sent.'
  const fails = decision === 'edited' && reviewed.failedChecks.length > 0
  const nextAt = () => state.cards.findIndex(({ review }, at) => at > state.at && review === undefined)
  const more = take()
  if (nextAt() < 0) await more
  state.at = nextAt() < 0 ? state.cards.length : nextAt()
  show()
  byId('item').focus()
  notice(`${said}${fails ? ` It fails: ${reviewed.failedChecks.join(', ')}.` : ''} z takes it back.`, fails)
}

async function failed (error, card) {
  if (error instanceof ApiError && error.status === 412 && card !== undefined) {
    await readAgain(card)
    return
  }
  notice(faultIn(error), true)
}

/** Shows the item as it is now; what was typed of the earlier version goes on standing in the fields. */
async function readAgain (card) {
  keepTyped()
  const { mode, view } = state.mode ?? {}
  const typed = mode === 'edited' ? view.edit() : view?.reason()
  state.cards = state.cards.filter(one => one !== card)
  await take()
  const at = openAt(card)
  if (at < 0 && mode !== undefined) {
    state.cards.splice(state.at, 0, card)
    notice('Somebody changed this item since you read it, and it is no longer yours. Copy what you typed if you need it; Esc leaves it.', true)
    return
  }
  state.at = at < 0 ? Math.min(state.at, state.cards.length) : at
  if (at >= 0) Object.assign(state.cards[at], { answers: card.answers, comment: card.comment })
  show()
  if (mode !== undefined) {
    open(mode)
    state.mode.view.fill(typed)
  }
  notice('Somebody changed this item since you read it. This is how it is now.', true)
}

/** Where the item of a card stands among those not reviewed yet. */
function openAt ({ entry }) {
  return state.cards.findIndex(card => card.review === undefined && card.entry.item.id === entry.item.id)
}

async function undo () {
  if (!mayLeave() || state.busy) return
  const at = state.cards.findLastIndex(({ review }) => review !== undefined)
  if (at < 0) { notice('There is nothing to take back.'); return }
  const { entry, review } = state.cards[at]
  state.busy = true
  try {
    const { reviewingId, raterId } = state.session
    await api.post(`/v1/items/${entry.item.id}/reviews/${review.id}/undo`, { reviewingId, raterId })
    keepTyped()
    const [{ answers, comment }] = state.cards.splice(at, 1)
    // Its lease is new, and so may its ETag be.
    await take()
    const back = openAt({ entry })
    // Where it was: who goes on from there meets nothing twice.
    if (back >= 0) state.cards.splice(at, 0, { ...state.cards.splice(back, 1)[0], answers, comment })
    state.at = Math.min(at, state.cards.length)
    show()
    notice('Taken back.')
  } catch (error) {
    await failed(error)
  } finally {
    state.busy = false
  }
}

function open (mode) {
  const card = state.cards[state.at]
  if (card === undefined || card.review !== undefined || state.mode !== undefined) return
  const actions = { send: () => { void confirm() }, leave }
  const view = mode === 'edited' ? editView(card.entry.item, actions) : rejectView(actions)
  state.mode = { mode, view }
  byId('item').prepend(view.element)
  byId('item').scrollTop = 0
  view.first.focus()
}

async function confirm () {
  const { mode, view } = state.mode
  if (mode === 'edited') {
    const edit = view.edit()
    if (Object.keys(edit).length > 0) await send('edited', { edit })
    else notice('Nothing was changed; accept the item instead.', true)
    return
  }
  const reason = view.reason()
  if (reason === '') { notice('Say why.', true); view.first.focus(); return }
  await send('rejected', { reason })
}

function leave () {
  state.mode?.view.element.remove()
  state.mode = undefined
  byId('item').focus()
}

const actions = {
  accept: () => { if (mayLeave()) void send('accepted') },
  edit: () => { open('edited') },
  reject: () => { open('rejected') },
  rate: () => { if (state.questionnaire !== undefined && mayLeave()) void send(undefined) },
  next: () => { go(1) },
  previous: () => { go(-1) },
  undo: () => { void undo() },
  help: () => { byId('help-dialog').showModal() },
  'page-back': () => { paper.turn(-1) },
  'page-on': () => { paper.turn(1) },
  sets: () => { if (mayLeave()) sets.open() },
  settings: () => { if (mayLeave()) start.open() }
}
for (const [id, act] of Object.entries(actions)) byId(id).addEventListener('click', act)
keysOf({
  actions,
  digit: digit => state.form?.press(digit),
  confirm: () => { if (state.mode !== undefined) void confirm() },
  leave
})

// A tab closed by mistake asks first where something is typed.
window.addEventListener('beforeunload', event => { if (state.mode !== undefined) event.preventDefault() })

// A lease is renewed while somebody sits before the item.
setInterval(() => {
  if (!document.hidden && state.cards.some(({ review }) => review === undefined)) void take()
}, leaseSeconds * 1000 / 3)

start.open()
