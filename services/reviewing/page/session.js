/** What the tab remembers: the key, who reviews, and what. Nothing outlives the tab. */
const name = 'viva-review'

export function readSession () {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '{}')
  } catch {
    return {}
  }
}

export function writeSession (session) {
  sessionStorage.setItem(name, JSON.stringify(session))
}

/** Seconds that something was looked at: not those with the tab in the background. */
export function stopwatch () {
  let spentMs = 0
  let since = document.hidden ? undefined : performance.now()
  const look = () => {
    if (document.hidden && since !== undefined) {
      spentMs += performance.now() - since
      since = undefined
    } else if (!document.hidden) since ??= performance.now()
  }
  document.addEventListener('visibilitychange', look)
  return {
    seconds () {
      const ms = spentMs + (since === undefined ? 0 : performance.now() - since)
      return Math.min(86_400, Math.round(ms / 100) / 10)
    },
    stop () { document.removeEventListener('visibilitychange', look) }
  }
}

/** A review as the API takes it. */
export function reviewBody (session, decision, own) {
  const { reviewingId, raterId, role, qualification, instructionVersion } = session
  return {
    reviewingId,
    rater: { id: raterId, role, qualification },
    ...decision !== undefined && { decision },
    ...own,
    instructionVersion
  }
}

export function withoutTime (body) {
  return JSON.stringify({ ...body, seconds: 0 })
}
