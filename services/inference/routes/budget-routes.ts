/** Budgets of callers and groups: a call beyond one is refused with 402 before it reaches an upstream. */
import { Type } from 'typebox'
import type { App } from '../../../shared/app/service.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { labelCharsMax } from '../domain/labels.ts'
import { budgetsMax, type Budgets } from '../handlers/budgets.ts'

const tags = ['inference']
const amountMax = 1_000_000_000_000
const Label = Type.String({ minLength: 1, maxLength: labelCharsMax, pattern: '^[!-~]([ -~]*[!-~])?$' })
const Amount = Type.Integer({ minimum: 0, maximum: amountMax })
const orNull = <S extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: S) =>
  Type.Union([schema, Type.Null()])
const Spending = Type.Object({ tokens: Type.Integer(), requests: Type.Integer() })

export const BudgetState = Type.Object({
  id: Type.String(),
  caller: orNull(Type.String()),
  group: orNull(Type.String()),
  tokensMax: orNull(Type.Integer()),
  requestsMax: orNull(Type.Integer()),
  spent: Type.Object(Spending.properties, { description: 'By all processes on this store; others\' spending is known up to 2 s late.' }),
  reserved: Type.Object(Spending.properties, { description: 'Estimates of calls of this process under way.' }),
  remaining: Type.Object({ tokens: orNull(Type.Integer()), requests: orNull(Type.Integer()) }, { description: 'Null where it is not limited.' })
}, { $id: 'BudgetState' })

const BudgetRequest = Type.Object({
  caller: Type.Optional(Label),
  group: Type.Optional(Label),
  tokensMax: Type.Optional(Amount),
  requestsMax: Type.Optional(Amount)
}, { $id: 'BudgetRequest', additionalProperties: false, examples: [{ group: 'thesis', tokensMax: 1000000 }] })

const OfBudget = Type.Object({ budgetId: Type.String({ maxLength: 60 }) })

export function budgetRoutes (app: App, { budgets }: { budgets: Budgets }): void {
  app.post('/v1/budgets', {
    config: { role: 'admin' },
    schema: {
      operationId: 'createBudget',
      tags,
      summary: 'Limit what a caller, a group, or a caller within a group may spend',
      description: 'Counts from now on. A call is checked with its estimate, which stays reserved while it runs, and charged what the upstream says it spent; where it says nothing, the estimate. Replayed and coalesced calls are free. Beyond the budget calls get 402 budget-exhausted, which clients do not repeat. Exact within one process; several on one store may together spend what they admit within 2 s too much.',
      body: BudgetRequest,
      response: { 201: BudgetState }
    }
  }, async ({ body }, reply) => {
    const { caller = null, group = null, tokensMax = null, requestsMax = null } = body
    if (caller === null && group === null) throw new Problem('invalid-request', 'Name a caller, a group, or both: a budget for everyone would stop the whole house.')
    if (tokensMax === null && requestsMax === null) throw new Problem('invalid-request', 'Set tokensMax, requestsMax, or both.')
    const made = await budgets.create({ caller, group, tokensMax, requestsMax })
    return await reply.code(201).header('location', `/v1/budgets/${made.id}`).send(made)
  })

  app.get('/v1/budgets', {
    schema: {
      operationId: 'listBudgets',
      tags,
      summary: `All budgets, at most ${budgetsMax}, a page at a time`,
      querystring: Type.Object({
        cursor: Type.Optional(Type.String({ maxLength: 60 })),
        limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 })
      }),
      response: { 200: Type.Object({ items: Type.Array(BudgetState), nextCursor: orNull(Type.String()) }) }
    }
  }, async ({ query: { cursor = '', limit } }) => {
    if (cursor !== '' && !/^bgt_[0-9a-f]{32}$/.test(cursor)) {
      throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
    }
    const rest = (await budgets.list()).filter(({ id }) => id > cursor)
    const items = rest.slice(0, limit)
    return { items, nextCursor: rest.length > limit ? items.at(-1)?.id ?? null : null }
  })

  app.get('/v1/budgets/:budgetId', {
    schema: {
      operationId: 'getBudget',
      tags,
      summary: 'A budget: what is spent, reserved and left',
      params: OfBudget,
      response: { 200: BudgetState }
    }
  }, async ({ params }) => await budgets.get(params.budgetId))

  app.delete('/v1/budgets/:budgetId', {
    config: { role: 'admin' },
    schema: {
      operationId: 'deleteBudget',
      tags,
      summary: 'Lift a budget; what was spent under it is forgotten here and stays in /v1/usage',
      params: OfBudget,
      response: { 204: Type.Null() }
    }
  }, async ({ params }, reply) => {
    await budgets.remove(params.budgetId)
    return await reply.code(204).send(null)
  })
}
