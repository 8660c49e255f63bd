/** The page of a sitting: files of this folder's neighbour, with the house's security headers and no key. */
import { readFile } from 'node:fs/promises'
import type { App } from '../../../shared/app/service.ts'

const files = [
  ['/sitting', 'sitting.html', 'text/html; charset=utf-8'],
  ['/sitting/sitting.css', 'sitting.css', 'text/css; charset=utf-8'],
  ['/sitting/main.js', 'main.js', 'text/javascript; charset=utf-8'],
  ['/sitting/api.js', 'api.js', 'text/javascript; charset=utf-8'],
  ['/sitting/question.js', 'question.js', 'text/javascript; charset=utf-8'],
  ['/sitting/drafts.js', 'drafts.js', 'text/javascript; charset=utf-8'],
  ['/sitting/words.js', 'words.js', 'text/javascript; charset=utf-8']
] as const

/** A browser sends no key with a page; what the page asks for needs one where there are keys. */
export async function sittingPageRoutes (app: App): Promise<void> {
  for (const [path, file, type] of files) {
    const content = await readFile(new URL(`page/${file}`, import.meta.url))
    app.get(path, { config: { role: 'open' }, schema: { hide: true } }, async (_, reply) =>
      await reply.type(type).header('cache-control', 'no-cache').send(content))
  }
}
