/** Tells a wrong method (405 with Allow, RFC 9110 §15.5.6) from an unknown path (404). */
import type { App } from './service.ts'

/** Remembers every route registered from now on; answers which methods a path has. */
export function rememberRoutes (app: App): (path: string) => string[] {
  const routes: Array<{ segments: string[], method: string }> = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ segments: url.split('/'), method: each })
  })
  return path => {
    const segments = path.split('/')
    const found = routes.filter(route => route.segments.length === segments.length &&
      route.segments.every((part, at) => matches(part, segments[at] ?? '')))
    return [...new Set(found.map(({ method }) => method))].sort()
  }
}

/** A parameter stands for the whole segment, or for all of it before a literal ending (`:id.json`). */
function matches (pattern: string, segment: string): boolean {
  const at = pattern.indexOf(':')
  if (at < 0) return pattern === segment
  const ending = /\.[a-z]+$/.exec(pattern)?.[0] ?? ''
  return segment.length > at + ending.length &&
    segment.startsWith(pattern.slice(0, at)) && segment.endsWith(ending)
}
