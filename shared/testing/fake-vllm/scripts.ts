/** Scripts that wait for a request they match, and those that change the server at once. */
import type { Entry } from './journal.ts'
import { planOf, type Plan } from './plan.ts'

/** As POST /__script takes it. */
export interface Script {
  /** All that is given must hold; absent: every request. */
  match?: {
    path?: string
    model?: string
    /** Names and values; a value of null: the header must be absent. */
    header?: Record<string, string | null>
    /** Number of the request in the journal, from 0. */
    nth?: number
  }
  /** Requests it is good for; -1: for good. Default 1. */
  times?: number
  /** Each `name` or `name:argument,argument`; all of them at once. */
  steps: string[]
}

export interface Scripts {
  /** @throws Error that names the known scripts */
  add: (script: Script) => Plan
  /** Of the first rule that matches; uses one of its times. */
  take: (entry: Entry) => Plan | null
  clear: () => void
}

export function scriptRules (): Scripts {
  const rules: Array<{ match: NonNullable<Script['match']>, left: number, plan: Plan }> = []
  return {
    add ({ match = {}, times = 1, steps }) {
      if (!Array.isArray(steps)) throw new Error('A script is {match?, times?, steps: ["name:argument"]}.')
      const plan = planOf(steps)
      if (!immediate(plan) || Object.keys(match).length > 0) rules.push({ match, left: times, plan })
      return plan
    },
    take (entry) {
      const at = rules.findIndex(({ match }) => matches(match, entry))
      const rule = rules[at]
      if (rule === undefined) return null
      if (rule.left > 0 && --rule.left === 0) rules.splice(at, 1)
      return rule.plan
    },
    clear () { rules.length = 0 }
  }
}

/** Whether a plan is only about the server, not about an answer. */
export function immediate (plan: Plan): boolean {
  const { names: _, storm, refuseMs, resetIdle, metrics, sleep, wake, loraAdd, ...rest } = plan
  return Object.keys(rest).length === 0 &&
    [storm, refuseMs, resetIdle, metrics, sleep, wake, loraAdd].some(each => each !== undefined)
}

function matches ({ path, model, header = {}, nth }: NonNullable<Script['match']>, entry: Entry): boolean {
  if (path !== undefined && entry.path.split('?')[0] !== path) return false
  if (model !== undefined && entry.body.model !== model) return false
  if (nth !== undefined && entry.id !== nth) return false
  const seen = (name: string) => entry.headers[name.toLowerCase()] ?? null
  return Object.entries(header).every(([name, value]) => seen(name) === value)
}
