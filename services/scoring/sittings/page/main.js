/* global location, navigator, sessionStorage, confirm, HTMLTextAreaElement, HTMLButtonElement */
/** The page of a sitting: one question at a time, the clock of the server, and nothing lost on a reload. */
import { ApiError, apiClient } from './api.js'
import { drafts } from './drafts.js'
import { answerIn, el, fillQuestion } from './question.js'
import { timeOf, words as allWords } from './words.js'

const byId = id => document.getElementById(id)
const wanted = new URLSearchParams(location.search)
const sittingId = wanted.get('id') ?? ''
const base = `/v1/sittings/${encodeURIComponent(sittingId)}`
const kept = drafts(sittingId)
const api = apiClient(() => sessionStorage.getItem('viva-sitting-key') ?? '')
const sections = ['key-form', 'welcome', 'ask', 'end']

let language = (wanted.get('lang') ?? navigator.language).startsWith('ko') ? 'ko' : 'en'
let words = allWords[language]
let state = { seen: [], itemCount: 0 }
let question = null
/** When the time of the question ends, on this page's own clock; null without a limit. */
let endsAt = null
let busy = false

function say (text, isError = false) {
  byId('notice').textContent = text
  byId('notice').classList.toggle('error', isError)
}

function show (name) {
  for (const section of sections) byId(section).hidden = section !== name
}

function sayWords () {
  words = allWords[language]
  document.documentElement.lang = language
  document.title = `${words.title} · Viva`
  byId('language').textContent = words.other
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = words[element.dataset.word]
  byId('progress').textContent = question === null ? '' : words.position(question.position, state.itemCount)
  showSeen()
}

/** One thing after another: an answer that overtakes another one would take its place. */
async function doing (work) {
  if (busy) return
  busy = true
  // A disabled button would lose the focus of whoever uses the keyboard.
  document.body.classList.add('busy')
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    say(error.status === 0 ? words.unreached : error.message, true)
    if (error.status === 401) {
      show('key-form')
      byId('key').focus()
    }
  } finally {
    busy = false
    document.body.classList.remove('busy')
  }
}

async function open () {
  const sitting = await api('GET', base)
  state = { seen: [], itemCount: sitting.itemCount }
  if (sitting.state !== 'ready') return await next()
  const limit = seconds => seconds === null ? null : timeOf(seconds)
  byId('rules').textContent = words.rules(sitting.itemCount, limit(sitting.secondsMax), limit(sitting.secondsPerItem))
  show('welcome')
  byId('begin').focus()
}

async function next () {
  state = await api('GET', `${base}/next`)
  showSeen()
  if (state.question !== null) return ask(state.question)
  question = null
  endsAt = null
  byId('progress').textContent = ''
  byId('clock').textContent = ''
  const isClosed = state.state === 'closed'
  const said = { 'time-up': words.over, 'all-seen': words.allSeen }[state.state] ?? ''
  byId('end-words').textContent = isClosed ? words.closed : `${said} ${words.handIn}`
  byId('close').hidden = isClosed
  if (isClosed) kept.clearAll()
  show('end')
}

function ask (asked) {
  question = asked
  endsAt = asked.remainingSeconds === null ? null : performance.now() + 1000 * asked.remainingSeconds
  const answer = kept.read(asked.itemId) ?? asked.answer
  const changed = now => now === null ? kept.clear(asked.itemId) : kept.write(asked.itemId, now)
  fillQuestion(byId('question'), { question, answer, words, changed })
  byId('paper').hidden = asked.content === null
  byId('content').textContent = asked.content ?? ''
  byId('progress').textContent = words.position(asked.position, state.itemCount)
  show('ask')
  byId('question').querySelector('textarea, input:checked, input')?.focus()
  tick()
}

function showSeen () {
  byId('seen').hidden = state.seen.length === 0 || state.state === 'closed'
  byId('seen').replaceChildren(...state.seen.map(({ itemId, position, ending }) => {
    const name = words.question(position, words.endings[ending] ?? ending)
    const current = itemId === state.question?.itemId ? 'current' : ending
    const button = el('button', { type: 'button', class: current, title: name, 'aria-label': name }, String(position))
    button.addEventListener('click', () => {
      void doing(async () => { ask(await api('GET', `${base}/questions/${itemId}`)) })
    })
    return button
  }))
}

/** Sends, and goes on. The draft is let go only once the service has the answer. */
async function send (answer) {
  const { itemId } = question
  const { late } = await api('PUT', `${base}/answers/${itemId}`, answer)
  if (answer.skip !== true) kept.clear(itemId)
  say(late ? words.late : words.kept, late)
  await next()
}

function sendForm () {
  const answer = answerIn(byId('question'))
  if (answer === null) return say(words.choose, true)
  void doing(async () => { await send(answer) })
}

/** So long before the end what is in the form is sent, to arrive in time. */
const leadMs = 1500

function tick () {
  const clock = byId('clock')
  if (endsAt === null) {
    clock.textContent = ''
    return
  }
  const left = endsAt - performance.now()
  clock.textContent = words.left(timeOf(Math.max(0, left) / 1000))
  clock.classList.toggle('short', left < 60_000)
  if (busy || byId('ask').hidden) return
  const answer = answerIn(byId('question'))
  const unsent = answer !== null && kept.read(question.itemId) !== null
  if (left <= leadMs && left > 0 && unsent) void doing(async () => { await send(answer) })
  else if (left <= 0 && question.expired !== true) {
    question.expired = true
    say(words.over, true)
    void doing(next)
  }
}

function pressed (event) {
  if (byId('ask').hidden) return
  const typing = event.target instanceof HTMLTextAreaElement
  const act = {
    Enter: () => !typing || event.ctrlKey || event.metaKey ? byId('send') : null,
    KeyK: () => event.altKey ? byId('dont-know') : null,
    KeyS: () => event.altKey ? byId('skip') : null
  }[event.key === 'Enter' ? 'Enter' : event.code]?.() ?? null
  if (act !== null && !(event.target instanceof HTMLButtonElement)) {
    event.preventDefault()
    return act.click()
  }
  if (typing || event.altKey || event.ctrlKey || event.metaKey) return
  const radios = [...document.querySelectorAll('#question input[type=radio]')]
  const at = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : /^[a-z]$/i.test(event.key) ? event.key.toLowerCase().charCodeAt(0) - 97 : -1
  if (radios[at] === undefined) return
  event.preventDefault()
  radios[at].focus()
  radios[at].click()
}

byId('send').addEventListener('click', sendForm)
byId('question').addEventListener('submit', event => { event.preventDefault() })
byId('dont-know').addEventListener('click', () => { void doing(async () => { await send({ dontKnow: true }) }) })
byId('skip').addEventListener('click', () => { void doing(async () => { await send({ skip: true }) }) })
byId('begin').addEventListener('click', () => { void doing(next) })
byId('close').addEventListener('click', () => {
  if (!confirm(words.sure)) return
  void doing(async () => {
    await api('POST', `${base}/close`)
    say('')
    await next()
  })
})
byId('key-form').addEventListener('submit', event => {
  event.preventDefault()
  sessionStorage.setItem('viva-sitting-key', byId('key').value.trim())
  say('')
  void doing(open)
})
byId('language').addEventListener('click', () => {
  language = language === 'ko' ? 'en' : 'ko'
  sayWords()
  if (question !== null && !byId('ask').hidden) {
    const { itemId } = question
    const typed = answerIn(byId('question'))
    if (typed !== null) kept.write(itemId, typed)
    const remainingSeconds = endsAt === null ? null : Math.max(0, endsAt - performance.now()) / 1000
    ask({ ...question, remainingSeconds })
  }
})
document.addEventListener('keydown', pressed)
setInterval(tick, 500)
sayWords()
if (sittingId === '') say(words.noId, true)
else void doing(open)
