/** The page of a sitting: files of this folder's neighbour. */
import { servePage } from '../../../shared/app/page-files.ts'
import type { App } from '../../../shared/app/service.ts'

const files = ['sitting.css', 'main.js', 'api.js', 'question.js', 'drafts.js', 'words.js']

export async function sittingPageRoutes (app: App): Promise<void> {
  await servePage(app, { path: '/sitting', folder: new URL('page/', import.meta.url), page: 'sitting.html', files })
}
