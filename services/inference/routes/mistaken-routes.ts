/** Where OpenAI clients go astray: the answer tells the way, in the form such a client shows. */
import type { App } from '../../../shared/app/service.ts'
import { Problem } from '../../../shared/errors/problem.ts'

const withoutVersion = 'The address lacks /v1: give the client a base_url that ends in /v1.'
const otherForm = 'This API of OpenAI is not served; ask /v1/chat/completions (client.chat.completions).'

/** Registered where errors have OpenAI's shape: of a problem its clients show the status alone. */
export function mistakenRoutes (app: App): void {
  const schema = { hide: true }
  const refuse = (detail: string) => async (): Promise<never> => {
    throw new Problem('not-found', detail)
  }
  app.post('/v1/responses', { schema }, refuse(otherForm))
  for (const path of ['/chat/completions', '/completions', '/embeddings', '/responses']) {
    app.post(path, { schema }, refuse(withoutVersion))
  }
  app.get('/models', { schema }, refuse(withoutVersion))
}
