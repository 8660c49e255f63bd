/** Serves the files of a page, with the house's security headers. */
import { readFile } from 'node:fs/promises'
import type { App } from './service.ts'

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml'
}

export interface PageFiles {
  /** Where the page is, for example /review; its other files are below. */
  path: string
  folder: URL
  page: string
  files: readonly string[]
}

/** A browser sends no key with a page; what the page asks for needs one where there are keys. */
export async function servePage (app: App, { path, folder, page, files }: PageFiles): Promise<void> {
  const serve = async (at: string, file: string): Promise<void> => {
    const content = await readFile(new URL(file, folder))
    const type = types[file.split('.').at(-1)!]!
    app.get(at, { config: { role: 'open' }, schema: { hide: true } }, async (_, reply) =>
      await reply.type(type).header('cache-control', 'no-cache').send(content))
  }
  await serve(path, page)
  for (const file of files) await serve(`${path}/${file}`, file)
}
