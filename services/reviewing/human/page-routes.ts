/** The review page: files of this folder's neighbour. */
import { servePage } from '../../../shared/app/page-files.ts'
import type { App } from '../../../shared/app/service.ts'

const files = ['review.css', 'icon.svg', 'main.js', 'api.js', 'bank-view.js', 'dom.js', 'edit-view.js', 'form-view.js', 'item-view.js',
  'keys.js', 'names.js', 'paper-view.js', 'places.js', 'session.js', 'sets-view.js', 'start-view.js']

export async function pageRoutes (app: App): Promise<void> {
  await servePage(app, { path: '/review', folder: new URL('../page/', import.meta.url), page: 'review.html', files })
}
