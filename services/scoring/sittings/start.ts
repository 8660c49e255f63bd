/** Puts sittings together: their routes and their page. */
import type { App } from '../../../shared/app/service.ts'
import type { SittingParts } from './handlers/parts.ts'
import { sittingPageRoutes } from './page-routes.ts'
import { sittingRoutes } from './routes.ts'

export async function startSittings (app: App, parts: SittingParts): Promise<void> {
  sittingRoutes(app, parts)
  await sittingPageRoutes(app)
}
