/** The review page: files of this folder's neighbour, with the house's security headers and no key. */
import { readFile } from 'node:fs/promises'
import type { App } from '../../../shared/app/service.ts'

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml'
}
const files = ['review.css', 'icon.svg', 'main.js', 'api.js', 'bank-view.js', 'dom.js', 'edit-view.js', 'form-view.js', 'item-view.js',
  'keys.js', 'names.js', 'paper-view.js', 'places.js', 'session.js', 'sets-view.js', 'start-view.js']

/** A browser sends no key with a page; what the page asks for needs one where there are keys. */
export async function pageRoutes (app: App): Promise<void> {
  const serve = async (path: string, file: string): Promise<void> => {
    const content = await readFile(new URL(`../page/${file}`, import.meta.url))
    const type = types[file.split('.').at(-1)!]!
    app.get(path, { config: { role: 'open' }, schema: { hide: true } }, async (_, reply) =>
      await reply.type(type).header('cache-control', 'no-cache').send(content))
  }
  await serve('/review', 'review.html')
  for (const file of files) await serve(`/review/${file}`, file)
}
