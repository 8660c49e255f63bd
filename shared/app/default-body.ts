/** A body whose schema has a default may be left out: POST without one is POST of the default. */
import type { FastifyRequest, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What stands for no body at all. */
    bodyDefault?: object
  }
}

/** For `onRoute`. */
export function defaultBody (route: RouteOptions): void {
  const { default: bodyDefault } = route.schema?.body as { default?: object } | undefined ?? {}
  if (bodyDefault === undefined) return
  route.config = { ...route.config, bodyDefault }
  const filled = (request: FastifyRequest, _: unknown, done: () => void) => {
    if (request.body === undefined) request.body = structuredClone(bodyDefault)
    done()
  }
  route.preValidation = [filled, ...[route.preValidation ?? []].flat()]
}

/** Whether nothing was sent under a content type, and that stands for the default. */
export function isLeftOut (request: FastifyRequest, body: Buffer): boolean {
  return body.length === 0 && request.routeOptions.config.bodyDefault !== undefined
}
